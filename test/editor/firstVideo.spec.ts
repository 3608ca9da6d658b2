import { readExamples } from '../../n8n/examples';

import { useEditor } from './editor';
import type { Page } from './playwright';
import { screenshot } from './screenshots';

const editor = useEditor();

const SIZE = { width: 960, height: 640 };
const PLAYING_FRAMES = 6;

let frames = 0;

/** Takes the next frame of the moving picture in README.md. */
async function takeFrame(page: Page): Promise<void> {
	frames += 1;
	await screenshot(page, String(frames).padStart(2, '0'), { isFrame: true });
}

test('I execute the first example, fill in its form and watch the video', async () => {
	const { page } = editor;
	const [{ name, nodes, connections }] = readExamples() as [ReturnType<typeof readExamples>[0]];
	const { credentials } = editor.node();
	await page.setViewportSize(SIZE);
	await editor.openWorkflow({
		name,
		nodes: nodes.map((node) => (node.credentials ? { ...node, credentials } : node)),
		connections,
	});
	await takeFrame(page);
	await page.getByTestId('canvas-node').filter({ hasText: 'Create video' }).first().dblclick();
	await editor.panel.ready();
	await takeFrame(page);
	await page.keyboard.press('Escape');

	const popup = page.waitForEvent('popup');
	await page.getByTestId('execute-workflow-button').click();
	const form = await popup;
	await form.setViewportSize(SIZE);
	await form.getByText('The avatar speaks your script.').waitFor();
	await takeFrame(form);

	await form.locator('button[type=submit]').click();
	await form.locator('video').waitFor();
	expect(editor.service.videos).toMatchObject([{ voiceId: expect.stringContaining('en-GB') }]);
	for (let frame = 1; frame <= PLAYING_FRAMES; frame += 1) {
		await form.evaluate(playUntil(frame / (PLAYING_FRAMES + 1)));
		await takeFrame(form);
	}
	await form.close();

	await page.getByTestId('canvas-node-status-success').nth(2).waitFor();
	await takeFrame(page);
});

/** @returns code that plays the video of a page up to a part of its length, and stops it there */
function playUntil(part: number): string {
	return `new Promise((stopped) => {
		const video = document.querySelector('video');
		const check = (_now, { mediaTime }) => {
			if (mediaTime < ${part} * video.duration) return video.requestVideoFrameCallback(check);
			video.pause();
			stopped();
		};
		video.muted = true;
		video.requestVideoFrameCallback(check);
		video.play();
	})`;
}
