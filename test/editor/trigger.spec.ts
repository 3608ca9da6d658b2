import { useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

beforeAll(async () => {
	await editor.openPanel(editor.trigger());
});

test('I fetch a test event and see a sample of an asset', async () => {
	const { page, panel } = editor;
	await panel.succeed();
	await panel.show('table');
	await panel.row('Avatar portrait').waitFor();
	expect(await panel.output.getByTestId('ndv-items-count').innerText()).toBe('1 item');
	await screenshot(page, 'trigger', { of: panel.fieldsAndOutput, height: 560 });
});

test('I select voices of a language and see a sample of one', async () => {
	const { panel } = editor;
	await panel.choose('event', 'New Voice');
	await panel.loading(panel.addOnly());
	await panel.choose('languageCode', 'German \\(Germany\\)');
	await panel.succeed();
	await panel.row('German (Germany)').waitFor();
	expect(await panel.output.getByTestId('ndv-items-count').innerText()).toBe('1 item');
});
