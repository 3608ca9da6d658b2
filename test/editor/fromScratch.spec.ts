import { join } from 'node:path';

import { projectRoot } from '../../n8n/installation';

import { useEditor } from './editor';

// What a new user does, in order: each test goes on where the one before has ended.

const editor = useEditor();

const PICTURE = join(projectRoot, 'docs', 'screenshots', 'credential.png');
const SCRIPT = 'Welcome! It is good to have you here.';

/** The messages of n8n about what failed, which stay until they are closed. */
const failures = () =>
	editor.page.locator('.el-notification').filter({ hasText: 'Problem in node' });

/** Takes a step that opens the form, and submits it. */
async function submitForm(step: Promise<void>): Promise<void> {
	const [form] = await Promise.all([editor.page.waitForEvent('popup'), step]);
	await form.locator('input[type=file]').setInputFiles(PICTURE);
	await form.locator('textarea').fill(SCRIPT);
	await form.locator('button[type=submit]').click();
	await form.getByText('Your response has been recorded').waitFor();
	await form.close();
}

beforeAll(async () => {
	await editor.open('/workflow/new');
	await editor.page.getByTestId('canvas-add-button').locator('button').first().click();
});

test('I start with a form that asks for a picture and a script, and submit it once', async () => {
	const { page, panel } = editor;
	// A search for it finds nothing: it is the name that the first list has for the form's trigger.
	await panel.nodeItem('On form submission').click();
	await panel.ready();
	await panel.fill('formTitle', 'A video for you');
	await panel.addElement();
	await panel.fill('fieldLabel', 'Picture');
	await panel.choose('fieldType', 'File');
	await panel.addElement();
	await panel.fill('fieldLabel', 'Script');
	await panel.choose('fieldType', 'Textarea');
	await submitForm(page.getByTestId('node-execute-button').first().click());
	await panel.output.getByTestId('node-run-status-success').waitFor();
	expect(await panel.output.getByTestId('ndv-items-count').innerText()).toBe('1 item');
});

test('I upload the picture, drag the script into speech and a video, and pick a face and voices', async () => {
	const { page, panel } = editor;
	await panel.addNextNode('Avatar Studio', 'Upload asset');
	await panel.addNextNode('Avatar Studio', 'Create speech');
	await panel.drag('On form submission', 'Script', 'script');
	await panel.pick('voiceId', 'Ryan');
	await panel.addNextNode('Avatar Studio', 'Create video');
	await panel.drag('On form submission', 'Script', 'script');
	await panel.pick('avatarId', 'Amara');
	await panel.pick('voiceId', 'Ryan');
	await panel.add('Download File', 1);
	// Escape would close the list of fields only.
	await page.getByTestId('tab-params').first().click();
	await page.keyboard.press('Escape');
	await page.getByTestId('canvas-node').nth(3).waitFor();
	expect(await page.getByTestId('node-issues').count()).toBe(0);
});

test('I execute the workflow, submit the form and watch the video', async () => {
	const { page, panel, service } = editor;
	await submitForm(page.getByTestId('execute-workflow-button').click());
	const succeeded = page.getByTestId('canvas-node-status-success').nth(3);
	await succeeded.or(failures().first()).first().waitFor();
	expect(await failures().allInnerTexts()).toEqual([]);
	expect(service.assets.at(-1)).toMatchObject({ name: 'credential', type: 'Image' });
	expect(service.speeches).toMatchObject([{ script: SCRIPT, voiceId: 'en-GB-RyanNeural' }]);
	expect(service.videos).toMatchObject([{ script: SCRIPT, voiceId: 'en-GB-RyanNeural' }]);
	await page.getByTestId('canvas-node').filter({ hasText: 'Create video' }).dblclick();
	await panel.show('binary');
	await panel.output.getByTestId('ndv-view-binary-data').click();
	await panel.output.locator('video').waitFor();
	// It fails if the file is no video.
	expect(await page.evaluate("document.querySelector('video').play()")).toBeUndefined();
});
