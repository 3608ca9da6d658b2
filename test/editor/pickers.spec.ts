import { startByHand } from '../n8n/runningN8n';

import { useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

beforeAll(async () => {
	await editor.openPanel(startByHand, editor.node({ resource: 'speech', operation: 'create' }));
});

test('The list of voices can be searched, and shows the voice that I selected', async () => {
	const { page, panel, service } = editor;
	service.configure({ hasVoiceSamples: false });
	await panel.pickerInput('voiceId').click();
	await panel.entry('Nanami').waitFor();
	await panel.search('english united kingdom');
	await panel.entry('Nanami').waitFor({ state: 'hidden' });
	await panel.entry('Ryan').hover();
	await screenshot(page, 'voice-picker', { of: panel.fields, height: 740, above: 14 });
	await panel.entry('Ryan').click();
	const shown = await panel.pickerInput('voiceId').inputValue();
	expect(shown).toBe('Ryan · English (United Kingdom) · male · neural');
});

test('The list of assets loads more pages as I scroll', async () => {
	const { page, panel, service } = editor;
	await panel.operation('Asset', 'Get');
	service.addAssets(120);
	await panel.pickerInput('assetId').click();
	await panel.search('asset');
	await panel.entry('Asset 00050').waitFor();
	expect(await panel.entry('Asset 00051').count()).toBe(0);
	await panel.entry('Asset 00050').hover();
	await panel.entry('Asset 00100').waitFor({ state: 'attached' });
	await page.keyboard.press('Escape');
});

test('A list that cannot be loaded says why, and what to do', async () => {
	const { page, panel, service } = editor;
	service.configure({ apiKey: 'another' });
	await panel.operation('Speech', 'Create');
	await panel.pickerInput('voiceId').click();
	const error = page.getByTestId('rlc-error-container').filter({ visible: true });
	await error.filter({ hasText: 'rejected' }).waitFor();
	expect(await error.innerText()).toMatch(
		/The service rejected the API key: .* Check API Key and Base URL in the credential/,
	);
});
