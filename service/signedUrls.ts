import { randomBytes } from 'node:crypto';

/** 12 hours, as `Asset.url` in `openapi.yaml` says. */
const LIFETIME_MS = 43_200_000;

/** The download links of the files host, which nobody can guess and which expire. */
export class SignedUrls {
	/** When each link expires, by its signature and path. */
	private readonly expiries = new Map<string, number>();

	constructor(private readonly filesUrl: () => string) {}

	/** Signs a link to a path of the files host. */
	create(path: string): string {
		const expires = Date.now() + LIFETIME_MS;
		const signature = randomBytes(32).toString('hex');
		this.expiries.set(signature + path, expires);
		const query = new URLSearchParams({ expires: String(Math.floor(expires / 1_000)), signature });
		return `${this.filesUrl()}${path}?${query.toString()}`;
	}

	/** Why a link is not valid; undefined if it is. */
	findError(path: string, { signature = '' }: Record<string, string>): string | undefined {
		const expires = this.expiries.get(signature + path);
		if (expires === undefined) return 'The signature of the link is not valid.';
		return expires <= Date.now() ? 'The link has expired.' : undefined;
	}
}
