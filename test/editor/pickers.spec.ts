import { byHand, useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

beforeAll(async () => {
	await editor.openPanel(byHand, editor.node({ resource: 'speech', operation: 'create' }));
});

describe('The list of voices', () => {
	it('shows each voice with language, name, gender and kind', async () => {
		const { panel } = editor;
		await panel.openPicker('voiceId');
		const entries = await panel.entries();
		expect(entries).toHaveLength(editor.service.voices.length);
		expect(entries[0]).toBe('Salma · Arabic (Egypt) · female · neural');
	});

	it.each([
		['ryan', 'Ryan · English (United Kingdom) · male · neural'],
		['english kingdom female', 'Libby · English (United Kingdom) · female · neural'],
		['fr-CA male', 'Jean · French (Canada) · male · neural'],
		['cadence', 'George · English (United Kingdom) · male'],
	])('can be searched for "%s"', async (words, entry) => {
		const { panel } = editor;
		await panel.search(words);
		await panel.entry('Nanami').waitFor({ state: 'hidden' });
		expect(await panel.entries()).toContain(entry);
	});

	it('closes and shows the voice that I selected', async () => {
		const { panel, service } = editor;
		service.configure({ hasVoiceSamples: false });
		await panel.search('english united kingdom');
		await panel.entry('Nanami').waitFor({ state: 'hidden' });
		await panel.entry('Ryan').hover();
		await screenshot(editor.page, 'voice-picker', { of: panel.fields, height: 740, above: 14 });
		await panel.entry('Ryan').click();
		expect(await panel.pickerInput('voiceId').inputValue()).toBe(
			'Ryan · English (United Kingdom) · male · neural',
		);
		expect(await panel.picker('voiceId').getByTestId('rlc-open-resource-link').count()).toBe(0);
	});
});

describe('The list of assets', () => {
	beforeAll(async () => {
		await editor.panel.operation('Asset', 'Get');
	});

	it('shows each asset with its file type', async () => {
		await editor.panel.openPicker('assetId');
		expect(await editor.panel.entries()).toEqual([
			'Avatar portrait · png',
			'Calm backdrop · svg',
			'Greeting · mp4',
			'Chime · wav',
			'Short melody · wav',
		]);
	});

	it('can be searched for part of a name', async () => {
		await editor.panel.search('mel');
		await editor.panel.entry('Chime').waitFor({ state: 'hidden' });
		expect(await editor.panel.entries()).toEqual(['Short melody · wav']);
		await editor.panel.entry('Short melody').click();
	});

	it('loads more pages as I scroll', async () => {
		editor.service.addAssets(120);
		await editor.panel.openPicker('assetId');
		await editor.panel.search('asset');
		await editor.panel.entry('Asset 00050').waitFor();
		expect(await editor.panel.entry('Asset 00051').count()).toBe(0);
		await editor.panel.entry('Asset 00050').hover();
		await editor.panel.entry('Asset 00100').waitFor({ state: 'attached' });
		await editor.page.keyboard.press('Escape');
	});
});

describe('By ID', () => {
	it('text that is not an ID is refused, and the message shows a valid one', async () => {
		const { page, panel } = editor;
		await panel.enterId('assetId', 'my portrait');
		await page.keyboard.press('Tab');
		await panel.picker('assetId').getByTestId('parameter-issues').locator('span').first().hover();
		const words = page.getByTestId('tooltip-content').filter({ visible: true }).first();
		await words.waitFor();
		expect(await words.innerText()).toContain(
			' must be an ID without spaces and slashes. Enter an ID like 123e4567-e89b-12d3-a456-426614174000.',
		);
	});

	it('an ID is accepted', async () => {
		const { panel } = editor;
		await panel.enterId('assetId', editor.service.assets[0]!.id);
		await panel.picker('assetId').getByTestId('parameter-issues').waitFor({ state: 'hidden' });
		await panel.succeed();
		await panel.row('Avatar portrait').waitFor();
		expect(await panel.headings()).toContain('url');
	});
});

describe('When the list cannot be loaded', () => {
	const readListError = async (words: RegExp) => {
		const error = editor.page.getByTestId('rlc-error-container').filter({ visible: true });
		await error.filter({ hasText: words }).waitFor();
		return await error.innerText();
	};

	it('says that the key is wrong, and what to do', async () => {
		const { page, panel } = editor;
		editor.service.configure({ apiKey: 'another' });
		await panel.operation('Speech', 'Create');
		await panel.openPicker('voiceId');
		expect(await readListError(/rejected/)).toMatch(
			/The service rejected the API key: .* Check API Key and Base URL in the credential/,
		);
		await page.keyboard.press('Escape');
	});

	it('says that the service did not respond, and what to do', async () => {
		const { panel } = editor;
		await editor.service.close();
		await panel.operation('Asset', 'Get');
		await panel.enterId('assetId', '');
		await panel.listMode('assetId');
		await panel.openPicker('assetId');
		expect(await readListError(/did not respond/)).toContain(
			'Check Base URL in the credential, and that the service is running.',
		);
	});
});
