import { SAMPLE_AVATAR_ID } from '../../service/service';
import { startByHand } from '../n8n/runningN8n';

import { useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

const UNKNOWN_ID = '00000000-0000-5000-8000-000000000000';

beforeAll(async () => {
	await editor.openPanel(startByHand, editor.node());
});

test('I list assets, and see a row for each, or JSON', async () => {
	const { panel } = editor;
	await panel.operation('Asset', 'Get Many');
	await panel.succeed();
	await panel.show('table');
	await panel.row('Short melody').waitFor();
	expect(await panel.output.getByTestId('ndv-items-count').innerText()).toBe('5 items');
	await panel.show('json');
	await panel.output.getByText('"Calm backdrop"').waitFor();
});

test('I create a video of an avatar that speaks my script', async () => {
	const { page, panel, service } = editor;
	await panel.operation('Video', 'Create');
	await panel.fill('videoTitle', 'Spring collection');
	await panel.fill('script', 'Welcome to our spring collection! Everything in it is made to last.');
	await panel.pick('avatarId', 'Amara');
	await panel.pick('voiceId', 'Ryan');
	await panel.add('Full Frame');
	await panel.field('fullFrame').locator('.el-switch').click();
	await panel.succeed();
	await panel.show('schema');
	await panel.output.getByText('Spring collection', { exact: true }).waitFor();
	const sent = { avatarId: SAMPLE_AVATAR_ID, voiceId: 'en-GB-RyanNeural', fullFrame: true };
	expect(service.videos).toMatchObject([{ videoTitle: 'Spring collection', ...sent }]);
	// All fields at once.
	await page.setViewportSize({ width: 1440, height: 1000 });
	await screenshot(page, 'video-create', { of: panel.fieldsAndOutput });
	await page.setViewportSize({ width: 1440, height: 900 });
});

test('I enter an ID that does not exist, and read what to do', async () => {
	const { page, panel } = editor;
	await panel.operation('Asset', 'Get');
	await panel.enterId('assetId', UNKNOWN_ID);
	await panel.run();
	const read = async (id: string) => await panel.output.getByTestId(id).innerText();
	expect(await read('node-error-message')).toBe(
		`The service found nothing under this ID or address (404): There is no asset ${UNKNOWN_ID}`,
	);
	expect(await read('node-error-description')).toContain(
		'Check the ID, if there is one: the record may have been deleted.',
	);
	await screenshot(page, 'error', { of: panel.fieldsAndOutput, height: 560 });
});
