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

beforeAll(async () => {
	await editor.openPanel(byHand, editor.node());
	await editor.page.getByTestId('node-credentials-empty-state').getByText('Connect to').click();
	await field('baseUrl').waitFor();
});

test('The dialog explains both values', async () => {
	expect(await field('baseUrl').getAttribute('placeholder')).toBe('e.g. https://api.example.com');
	expect(await field('apiKey').getAttribute('type')).toBe('password');
});

test('With a wrong key, the dialog says what is wrong and what to do', async () => {
	const message = await save(editor.service.url, 'not-the-key');
	expect(message).toMatch(
		/^The service rejected the API key \(401\): .*Check API Key and Base URL in the credential\. /,
	);
	// n8n hides the message behind a link.
	await dialog().getByText('Couldn’t connect with these settings').waitFor();
	await dialog().getByText('More details').click();
	await dialog().getByText(message, { exact: true }).waitFor();
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
