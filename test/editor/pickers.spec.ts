import { byHand, useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

beforeAll(async () => {
	await editor.openPanel(byHand, editor.node({ resource: 'speech', operation: 'create' }));
});

describe('The list of voices', () => {
	it('shows each voice with language, name, gender and kind', async () => {
		const { panel, service } = editor;
		await panel.openPicker('voiceId');
		const entries = await panel.entries();
		expect(entries).toHaveLength(service.voices.length);
		expect(entries[0]).toBe('Salma · Arabic (Egypt) · female · neural');
	});

	it('can be searched, closes and shows the voice that I selected', async () => {
		const { page, panel, service } = editor;
		service.configure({ hasVoiceSamples: false });
		await panel.search('english united kingdom');
		await panel.entry('Nanami').waitFor({ state: 'hidden' });
		await panel.entry('Ryan').hover();
		await screenshot(page, 'voice-picker', { of: panel.fields, height: 740, above: 14 });
		await panel.entry('Ryan').click();
		expect(await panel.pickerInput('voiceId').inputValue()).toBe(
			'Ryan · English (United Kingdom) · male · neural',
		);
		expect(await panel.picker('voiceId').getByTestId('rlc-open-resource-link').count()).toBe(0);
	});
});

test('The list of assets loads more pages as I scroll', async () => {
	const { page, panel, service } = editor;
	await panel.operation('Asset', 'Get');
	service.addAssets(120);
	await panel.openPicker('assetId');
	await panel.search('asset');
	await panel.entry('Asset 00050').waitFor();
	expect(await panel.entry('Asset 00051').count()).toBe(0);
	await panel.entry('Asset 00050').hover();
	await panel.entry('Asset 00100').waitFor({ state: 'attached' });
	await page.keyboard.press('Escape');
});

test('By ID takes an ID', async () => {
	const { panel, service } = editor;
	await panel.enterId('assetId', service.assets[0]!.id);
	await panel.succeed();
	expect(await panel.row('Avatar portrait').innerText()).toContain(service.assets[0]!.id);
});

test('A list that cannot be loaded says why, and what to do', async () => {
	const { page, panel, service } = editor;
	service.configure({ apiKey: 'another' });
	await panel.operation('Speech', 'Create');
	await panel.openPicker('voiceId');
	const error = page.getByTestId('rlc-error-container').filter({ visible: true });
	await error.filter({ hasText: 'rejected' }).waitFor();
	expect(await error.innerText()).toMatch(
		/The service rejected the API key: .* Check API Key and Base URL in the credential/,
	);
});
