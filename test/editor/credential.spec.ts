import { startByHand } from '../n8n/runningN8n';

import { useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor({ withCredential: false });

const dialog = () => editor.page.getByTestId('editCredential-modal');

/** Fills in the dialog and saves it. */
async function save(apiKey: string): Promise<void> {
	const field = (name: string) => dialog().getByTestId(`parameter-input-${name}`).locator('input');
	await field('baseUrl').fill(editor.service.url);
	await field('apiKey').fill(apiKey);
	await dialog().getByTestId('credential-save-button').click();
}

test('With a wrong key, the dialog says what is wrong and what to do', async () => {
	await editor.openPanel(startByHand, editor.node());
	await editor.page.getByTestId('node-credentials-empty-state').getByText('Connect to').click();
	await save('not-the-key');
	// n8n hides the message behind a link.
	await dialog().getByText('Couldn’t connect with these settings').waitFor();
	await dialog().getByText('More details').click();
	const message = dialog().getByText('The service rejected the API key (401)');
	expect(await message.innerText()).toContain('Check API Key and Base URL in the credential.');
});

test('With the right URL and key, the connection test succeeds', async () => {
	const { page, service } = editor;
	await save(service.apiKey);
	// n8n closes the dialog of a new credential that works, and selects it in the node.
	await dialog().waitFor({ state: 'hidden' });
	await page.getByTestId('credential-edit-button').first().click();
	await dialog().getByText('Connection tested successfully').waitFor();
	await save(service.apiKey);
	await dialog().getByText('Saved', { exact: true }).waitFor();
	await page.mouse.move(0, 0);
	await screenshot(page, 'credential', { of: [dialog()] });
	expect(service.requests.at(-1)).toMatchObject({ responseStatus: 200 });
});
