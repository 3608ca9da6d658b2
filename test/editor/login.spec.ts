import { openBrowser, type Browser } from './playwright';
import { getServers } from './servers';

const { url, loginLink, profile } = getServers();
let browser: Browser;

beforeAll(async () => (browser = await openBrowser(`${profile}-login`)));
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
