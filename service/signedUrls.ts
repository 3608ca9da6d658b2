import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const LIFETIME_SECONDS = 43_200;

/** Download links that expire and cannot be forged. */
export class SignedUrls {
	private readonly secret = randomBytes(32);

	constructor(private readonly filesUrl: () => string) {}

	/** A new link to a path of the files host; every link is unique. */
	create(path: string): string {
		const expires = String(Math.floor(Date.now() / 1_000) + LIFETIME_SECONDS);
		const nonce = randomBytes(6).toString('hex');
		const signature = this.sign(path, expires, nonce).toString('hex');
		const query = new URLSearchParams({ expires, nonce, signature });
		return `${this.filesUrl()}${path}?${query.toString()}`;
	}

	/** Why a link is not valid; undefined if it is. */
	findError(path: string, query: Record<string, string>): string | undefined {
		const { expires = '', nonce = '', signature = '' } = query;
		const expected = this.sign(path, expires, nonce);
		const actual = Buffer.from(signature, 'hex');
		if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
			return 'The signature of the link is not valid.';
		}
		return Number(expires) * 1_000 <= Date.now() ? 'The link has expired.' : undefined;
	}

	private sign(path: string, expires: string, nonce: string): Buffer {
		return createHmac('sha256', this.secret).update(`${path}\n${expires}\n${nonce}`).digest();
	}
}
