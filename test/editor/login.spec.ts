import { createLoginLink } from '../../demo/loginLink';
import { openOwner } from '../../n8n/owner';
import { getServer } from '../n8n/servers';

import { SERVER } from './editor';
import { openBrowser, type Browser } from './playwright';

const { url, userFolder } = getServer(SERVER);
const loginLink = createLoginLink({ url, owner: openOwner(userFolder, String) });
let browser: Browser;

beforeAll(async () => (browser = await openBrowser(`${userFolder}-browser-login`)));
afterAll(async () => await browser.close());

test('The link of npm start opens the editor, and its cookie alone opens nothing', async () => {
	const page = browser.pages()[0]!;
	await page.goto(loginLink);
	await page.getByTestId('main-sidebar-settings').waitFor();
	expect(page.url()).not.toContain('password');

	const [{ name, value }] = (await browser.cookies()) as [{ name: string; value: string }];
	const browserId = await page.evaluate<string>("localStorage.getItem('n8n-browserId')");
	const replay = async (path: string, headers = {}) => {
		const cookie = `${name}=${value}`;
		return (await fetch(`${url}/rest${path}`, { headers: { cookie, ...headers } })).status;
	};
	expect(await replay('/login', { 'browser-id': browserId })).toBe(200);
	expect(await replay('/login')).toBe(401);
	expect(await replay('/credentials')).toBe(401);
	expect(await replay('/credentials', { 'browser-id': 'of another browser' })).toBe(401);
});
