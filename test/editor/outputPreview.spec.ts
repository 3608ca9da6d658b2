import { collect, startByHand } from '../n8n/runningN8n';

import { useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

test('Before the first run, the next node shows the fields of a voice', async () => {
	const { panel, page, service } = editor;
	const voices = editor.node({ resource: 'voice', operation: 'getAll' });
	await editor.openPanel(startByHand, { ...voices, name: 'Find voices' }, collect('Next'));
	await panel.input.getByText('Usually outputs the following fields').waitFor();
	expect((await panel.input.innerText()).split('\n')).toEqual(
		expect.arrayContaining(['voiceId', 'name', 'gender', 'language', 'languageCode', 'provider']),
	);
	await screenshot(page, 'output-preview', { of: [panel.input], height: 440 });
	expect(service.requests).toEqual([]);
});
