import node from '../../nodes/AvatarStudio/AvatarStudio.node.json';
import trigger from '../../nodes/AvatarStudio/AvatarStudioTrigger.node.json';
import { buildWorkflow, startByHand } from '../n8n/runningN8n';
import { events } from '../support/events';
import { operations } from '../support/operations';

import { useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

/** What n8n lists below the node, by resource. */
const actions = operations.map(({ operation }) => operation.action);

/** n8n compares a search with each alias alone, so that only one that has all its words is found. */
const ALIASES = [...node.alias, ...trigger.alias];
const SEARCHES = [
	'Avatar Studio',
	'talking avatar video',
	'avatar video',
	'create video',
	'ai video',
];

const list = () => editor.page.getByTestId('node-creator').first();
const searchBar = () => editor.page.getByTestId('node-creator-search-bar');
const found = (name: string) => editor.panel.nodeItem(name);
const readValue = async (name: string) =>
	await editor.panel.field(name).locator('input').inputValue();

/** @returns the actions of the node that I chose in the list */
async function readActions(last: string): Promise<string[]> {
	await found(last).waitFor();
	await found('Avatar Studio').waitFor({ state: 'hidden' });
	return await list().getByTestId('node-creator-item-name').allInnerTexts();
}

describe('When I add a step to a workflow', () => {
	beforeAll(async () => {
		await editor.openWorkflow(buildWorkflow('My workflow', [startByHand], []));
		await editor.page.getByTestId('node-creator-plus-button').click();
	});

	it.each([...new Set([...SEARCHES, ...ALIASES])])(
		'I find the node by searching for "%s"',
		async (words) => {
			await searchBar().fill('');
			await found('Avatar Studio').waitFor({ state: 'hidden' });
			await searchBar().fill(words);
			await expect(found('Avatar Studio').waitFor()).resolves.toBeUndefined();
		},
	);

	it('I see the operations by resource, and Enter, Enter adds Create video', async () => {
		const { page } = editor;
		await searchBar().fill('avatar');
		await found('Avatar Studio').waitFor();
		await page.keyboard.press('Enter');
		expect(await readActions('Create video')).toEqual(actions);
		// All actions at once, and none under the mouse.
		await page.mouse.move(0, 0);
		await page.setViewportSize({ width: 1440, height: 1000 });
		await screenshot(page, 'node-list', { of: [list()] });
		await page.setViewportSize({ width: 1440, height: 900 });
		await page.keyboard.press('Enter');
		expect(await readValue('resource')).toBe('Video');
		expect(await readValue('operation')).toBe('Create');
	});
});

test('When I start a new workflow, I find the trigger and choose its event', async () => {
	await editor.open('/workflow/new');
	await editor.page.getByTestId('canvas-add-button').locator('button').first().click();
	await searchBar().fill('Avatar Studio');
	await found('Avatar Studio').click();
	const wanted = events.map(({ option }) => `On ${option.name.toLowerCase()}`);
	expect((await readActions('On new voice')).slice(0, events.length)).toEqual(wanted);
	await found('On new voice').click();
	expect(await readValue('event')).toBe('New Voice');
});
