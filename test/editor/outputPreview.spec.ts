import { byHand, useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

const setFields = {
	name: 'Edit Fields',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {},
};

const previewOf = async (parameters: object) => {
	const { panel } = editor;
	await editor.openPanel(byHand, { ...editor.node(parameters), name: 'Find voices' }, setFields);
	await panel.input.getByText('Usually outputs the following fields').waitFor();
	return (await panel.input.innerText()).split('\n');
};

test('Before the first run, the next node shows the fields of a voice', async () => {
	const shown = await previewOf({ resource: 'voice', operation: 'getAll' });
	expect(shown).toEqual(
		expect.arrayContaining(['voiceId', 'name', 'gender', 'language', 'languageCode', 'provider']),
	);
	await screenshot(editor.page, 'output-preview', { of: [editor.panel.input], height: 440 });
	expect(editor.service.requests).toEqual([]);
});

test('Before the first run, the next node shows the fields of an asset', async () => {
	const shown = await previewOf({ resource: 'asset', operation: 'get' });
	expect(shown).toEqual(expect.arrayContaining(['id', 'name', 'url', 'extension']));
});
