import { request } from 'node:http';

import { startLoginPage, type LoginPage } from '../../demo/loginPage';
import { findFreePorts } from '../../n8n/ports';

let page: LoginPage;
let port: number;
let login: jest.Mock<Promise<string[]>, []>;

beforeEach(async () => {
	port = (await findFreePorts()).login;
	login = jest.fn().mockResolvedValue(['n8n-auth=token; Path=/; HttpOnly']);
	page = await startLoginPage({ port, n8nPort: 5678, login });
});

afterEach(async () => await page.close());

interface Answer {
	status?: number;
	location?: string;
	cookies?: string[];
}

async function ask(
	path: string,
	headers: Record<string, string> = { host: `127.0.0.1:${port}` },
	method = 'GET',
): Promise<Answer> {
	return await new Promise((resolve, reject) => {
		request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
			response.resume();
			resolve({
				status: response.statusCode,
				location: response.headers.location,
				cookies: response.headers['set-cookie'],
			});
		})
			.on('error', reject)
			.end();
	});
}

const link = () => new URL(page.url).pathname;

describe('the login page', () => {
	it.each(['127.0.0.1', 'localhost'])('passes the session to the browser at %s', async (host) => {
		expect(await ask(link(), { host: `${host}:${port}` })).toEqual({
			status: 302,
			location: `http://${host}:5678/`,
			cookies: ['n8n-auth=token; Path=/; HttpOnly'],
		});
	});

	it('gives nobody a session without its link, or with a link that was used', async () => {
		const withoutSession = { status: 302, location: 'http://127.0.0.1:5678/', cookies: undefined };
		expect(await ask('/')).toEqual(withoutSession);
		expect(await ask(`${link()}x`)).toEqual(withoutSession);
		await ask(link());
		expect(await ask(link())).toEqual(withoutSession);
		expect(login).toHaveBeenCalledTimes(1);
	});

	it('refuses what a page elsewhere sends, also under a name that resolves to this machine', async () => {
		const host = `127.0.0.1:${port}`;
		const refused = { status: 403, location: undefined, cookies: undefined };
		expect(await ask(link(), { host: `evil.example:${port}` })).toEqual(refused);
		expect(await ask(link(), { host, origin: 'http://evil.example' })).toEqual(refused);
		const origin = `http://${host}`;
		expect(await ask(link(), { host: 'evil.example', origin })).toEqual(refused);
		expect(await ask(link(), { host, origin: 'null' })).toEqual(refused);
		expect(await ask(link(), { host }, 'POST')).toEqual(refused);
		expect(login).not.toHaveBeenCalled();
	});

	it('reports that n8n refused the login, and can be opened again', async () => {
		login.mockRejectedValueOnce(new Error('n8n refused the login'));

		expect(await ask(link())).toMatchObject({ status: 502 });
		expect((await ask(link())).cookies).toHaveLength(1);
	});
});
