import { readExamples } from '../../n8n/examples';

import { useEditor } from './editor';

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

describe('The icon of the node', () => {
	afterAll(async () => await setTheme('light'));

	it.each([
		['light', 'avatarStudio.svg'],
		['dark', 'avatarStudio.dark.svg'],
	] as const)('in the %s theme is %s', async (theme, file) => {
		await setTheme(theme);
		await openExample();
		expect(await iconFiles()).toEqual([file]);
	});
});
