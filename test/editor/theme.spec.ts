import { readExamples } from '../../n8n/examples';

import { byHand, useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

const icons = () => editor.page.locator('[data-test-id="canvas-node"] img[src*="avatarStudio"]');

async function openExample(): Promise<void> {
	const { name, nodes, connections } = readExamples().find(({ id }) => id === 'AvatarVideoHook1')!;
	await editor.openWorkflow({ name, nodes, connections });
	await icons().first().waitFor();
}

async function setTheme(theme: 'dark' | 'light'): Promise<void> {
	await editor.open('/settings/personal');
	await editor.page.getByTestId('theme-select').click();
	await editor.panel.option(theme === 'dark' ? 'Dark theme' : 'Light theme').click();
	await editor.page.getByTestId('save-settings-button').click();
	await editor.page.locator(`body[data-theme="${theme}"]`).waitFor();
}

/** An <img>; the project is compiled without the browser's types. */
interface Image {
	src: string;
	complete: boolean;
	naturalWidth: number;
	onload: () => void;
	onerror: () => void;
}

/** The distinct files of the icons; one that cannot be drawn is marked. */
async function iconFiles(): Promise<string[]> {
	const files = await icons().evaluateAll(async (images: Image[]) => {
		for (const image of images) {
			if (image.complete) continue;
			await new Promise<void>((done) => (image.onload = image.onerror = () => done()));
		}
		return images.map(({ src, naturalWidth }) =>
			naturalWidth > 0 ? src.split('/').at(-1)! : `${src} cannot be drawn`,
		);
	});
	return [...new Set(files)];
}

test('In the light theme the node shows its light icon', async () => {
	await openExample();
	expect(await iconFiles()).toEqual(['avatarStudio.svg']);
	// Cuts off the lower half of the tabs above the canvas.
	await screenshot(editor.page, 'workflow', {
		isTemporary: true,
		of: [editor.page.getByTestId('canvas')],
		above: -16,
	});
});

describe('In the dark theme', () => {
	beforeAll(async () => await setTheme('dark'));
	afterAll(async () => await setTheme('light'));

	it('the node shows its dark icon', async () => {
		await openExample();
		expect(await iconFiles()).toEqual(['avatarStudio.dark.svg']);
	});

	it('the panel is readable', async () => {
		const { page, panel } = editor;
		await editor.openPanel(
			byHand,
			editor.node({
				resource: 'voice',
				operation: 'getAll',
				filters: { languageCode: 'en-GB' },
			}),
		);
		await panel.succeed();
		await panel.row('au-en-GB-ryan').waitFor();
		await panel.option('English').waitFor({ state: 'hidden' });
		await screenshot(page, 'voice-list-dark', { of: panel.fieldsAndOutput, isTemporary: true });
		expect(await page.locator('body[data-theme="dark"]').count()).toBe(1);
	});
});
