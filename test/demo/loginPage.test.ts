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

async function ask(path: string, host: string, method = 'GET'): Promise<Answer> {
	return await new Promise((resolve, reject) => {
		request({ host: '127.0.0.1', port, path, method, headers: { host } }, (response) => {
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

describe('the login page', () => {
	it.each(['127.0.0.1', 'localhost'])('passes the session to the browser at %s', async (host) => {
		expect(await ask('/workflow/abc', `${host}:${port}`)).toEqual({
			status: 302,
			location: `http://${host}:5678/workflow/abc`,
			cookies: ['n8n-auth=token; Path=/; HttpOnly'],
		});
	});

	it('gives no session to another host name that resolves to this machine', async () => {
		const answer = await ask('/', `evil.example:${port}`);

		expect(answer).toMatchObject({ status: 403, cookies: undefined });
		expect(login).not.toHaveBeenCalled();
	});

	it('refuses a POST', async () => {
		expect(await ask('/', `127.0.0.1:${port}`, 'POST')).toMatchObject({ status: 403 });
	});

	it('reports that n8n refused the login', async () => {
		login.mockRejectedValue(new Error('n8n refused the login'));

		expect(await ask('/', `127.0.0.1:${port}`)).toMatchObject({ status: 502 });
	});
});
