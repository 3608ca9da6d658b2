import { STUDIO } from '../n8n/runningN8n';

import { useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

test('I fetch a test event and see a sample of an asset', async () => {
	const { page, panel } = editor;
	const type = `${STUDIO}Trigger`;
	await editor.openPanel({ ...editor.node(), name: 'Avatar Studio Trigger', type });
	await panel.succeed();
	await panel.show('table');
	await panel.row('Avatar portrait').waitFor();
	expect(await panel.output.getByTestId('ndv-items-count').innerText()).toBe('1 item');
	await screenshot(page, 'trigger', { of: panel.fieldsAndOutput, height: 560 });
});

test('I select voices of a language and see a sample of one', async () => {
	const { page, panel } = editor;
	await panel.choose('event', 'New Voice');
	const loaded = page.waitForResponse((response) => response.url().endsWith('/options'));
	await panel.add('Language Name or ID');
	await loaded;
	await panel.choose('languageCode', 'German \\(Germany\\)');
	await panel.succeed();
	expect(await panel.row('German').innerText()).toContain('German (Germany)');
});
