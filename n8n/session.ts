import { owner } from './owner';

/** The owner's session with n8n's internal REST API. */
export class Session {
	private cookies?: Promise<string[]>;

	constructor(private readonly url: string) {}

	/**
	 * Logs in and returns the cookies to set. Without a browser-id header n8n does not tie the
	 * session to one browser, so the cookies can be passed on.
	 */
	async login(): Promise<string[]> {
		const response = await fetch(`${this.url}/rest/login`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ emailOrLdapLoginId: owner.email, password: owner.password }),
		});
		if (!response.ok) {
			throw new Error(`n8n refused the login: ${response.status} ${await response.text()}`);
		}
		return response.headers.getSetCookie();
	}

	/** Calls a path below /rest and returns the data of the response. */
	async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
		this.cookies ??= this.login();
		const cookies = (await this.cookies).map((cookie) => cookie.split(';')[0]).join('; ');
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: { cookie: cookies, ...(body ? { 'content-type': 'application/json' } : {}) },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`n8n: ${method} ${path}: ${response.status} ${text}`);
		return (JSON.parse(text) as { data: T }).data;
	}
}
