import { byHand, useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor({ withCredential: false });

const dialog = () => editor.page.getByTestId('editCredential-modal');
const field = (name: string) => dialog().getByTestId(`parameter-input-${name}`).locator('input');

/** Fills in the dialog, saves it and returns the result of the test that n8n shows. */
async function save(baseUrl: string, apiKey: string): Promise<string> {
	await field('baseUrl').fill(baseUrl);
	await field('apiKey').fill(apiKey);
	const tested = editor.page.waitForResponse((response) =>
		response.url().endsWith('/rest/credentials/test'),
	);
	await dialog().getByTestId('credential-save-button').click();
	const { data } = (await (await tested).json()) as { data: { message: string } };
	return data.message;
}

/** Waits for the message in the dialog; n8n hides it behind a link until the first click. */
async function seen(message: string): Promise<boolean> {
	const more = dialog().getByText('More details');
	const shown = dialog().getByText(message, { exact: true });
	await shown.or(more).first().waitFor();
	if (!(await shown.isVisible())) await more.click();
	await shown.waitFor();
	return await dialog().getByText('Couldn’t connect with these settings').isVisible();
}

beforeAll(async () => {
	await editor.openPanel(byHand, editor.node());
	await editor.page.getByTestId('node-credentials-empty-state').getByText('Connect to').click();
	await field('baseUrl').waitFor();
});

test('The dialog explains both values', async () => {
	expect(await field('baseUrl').getAttribute('placeholder')).toBe('e.g. https://api.example.com');
	expect(await field('apiKey').getAttribute('type')).toBe('password');
});

test('An unreachable host is reported as such', async () => {
	const message = await save('http://127.0.0.1:1', 'demo-key');
	expect(message).toBe(
		'The service did not respond at its address. Check Base URL in the credential, and that the service is running.',
	);
	expect(await seen(message)).toBe(true);
});

test('A wrong key is reported as such', async () => {
	const message = await save(editor.service.url, 'not-the-key');
	expect(message).toMatch(/^The service rejected the API key \(401\): /);
	expect(message).toMatch(
		/Check API Key and Base URL in the credential\. Each address has its own key, and so does the fast branch\.$/,
	);
	expect(await seen(message)).toBe(true);
});

test('The URL of something else is reported as such', async () => {
	const message = await save(new URL(editor.page.url()).origin, 'demo-key');
	expect(message).toMatch(/^The address responds, but not like the service \(404\)/);
	expect(message).toMatch(/Check Base URL: it is the part of the address before \/v1\.$/);
	expect(await seen(message)).toBe(true);
});

test('A URL that would send the key unencrypted is refused before anything is sent', async () => {
	const message = await save('http://api.example.com', 'demo-key');
	expect(message).toBe(
		'Base URL does not start with https://. Correct it in the credential: the API key must only be sent encrypted.',
	);
	expect(await seen(message)).toBe(true);
});

test('With the right URL and key, the connection test succeeds', async () => {
	const { page, service } = editor;
	expect(await save(` ${service.url}/v1/ `, service.apiKey)).toBe('Connection successful');
	// n8n closes the dialog of a new credential that works, and selects it in the node.
	await dialog().waitFor({ state: 'hidden' });
	await page.getByTestId('credential-edit-button').first().click();
	await dialog().getByTestId('credentials-config-container-test-success').waitFor();
	await dialog().getByText('Connection tested successfully').waitFor();
	expect(await save(service.url, service.apiKey)).toBe('Connection successful');
	await dialog().getByText('Connection tested successfully').waitFor();
	await page.mouse.move(0, 0);
	await screenshot(page, 'credential', { of: [dialog()] });
});
