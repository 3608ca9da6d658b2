import type { INodePropertyOptions } from 'n8n-workflow';

import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import node from '../../nodes/AvatarStudio/AvatarStudio.node.json';
import trigger from '../../nodes/AvatarStudio/AvatarStudioTrigger.node.json';

import { byHand, useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

const { properties } = new AvatarStudio().description;
const optionsOf = (name: string, resource?: unknown) =>
	properties.find(
		(property) =>
			property.name === name &&
			(!resource || property.displayOptions!.show!.resource!.includes(resource as string)),
	)!.options as INodePropertyOptions[];

/** What n8n lists below the node, by resource. */
const actions = optionsOf('resource')
	.flatMap(({ value }) => optionsOf('operation', value))
	.map(({ action }) => action);

const list = () => editor.page.getByTestId('node-creator').first();
const searchBar = () => editor.page.getByTestId('node-creator-search-bar');
const found = (name: string) => editor.panel.nodeItem(name);

describe('When I add a step to a workflow', () => {
	beforeAll(async () => {
		await editor.openPanel(byHand);
		await editor.page.keyboard.press('Escape');
		await editor.page.getByTestId('node-creator-plus-button').click();
	});

	it.each(['Avatar Studio', 'avatar studio', ...new Set([...node.alias, ...trigger.alias])])(
		'I find the node by searching for "%s"',
		async (words) => {
			await searchBar().fill('');
			await found('Avatar Studio').waitFor({ state: 'hidden' });
			await searchBar().fill(words);
			await found('Avatar Studio').waitFor();
			expect(await found('Avatar Studio').isVisible()).toBe(true);
		},
	);

	it('I see the operations by resource, and add one', async () => {
		await searchBar().fill('talking photo');
		await found('Avatar Studio').click();
		await found('Create video').waitFor();
		await found('Avatar Studio').waitFor({ state: 'hidden' });
		expect(await list().getByTestId('node-creator-item-name').allInnerTexts()).toEqual(actions);
		// All actions at once.
		await editor.page.setViewportSize({ width: 1440, height: 1000 });
		await screenshot(editor.page, 'node-list', { of: [list()] });
		await editor.page.setViewportSize({ width: 1440, height: 900 });
		await found('Create video').click();
		await editor.panel.ready();
		expect(await editor.panel.field('resource').locator('input').inputValue()).toBe('Video');
		expect(await editor.panel.field('operation').locator('input').inputValue()).toBe('Create');
	});
});

describe('When I search for "avatar"', () => {
	it('Enter, Enter adds Create video', async () => {
		await editor.openPanel(byHand);
		await editor.page.keyboard.press('Escape');
		await editor.page.getByTestId('node-creator-plus-button').click();
		await searchBar().fill('avatar');
		await found('Avatar Studio').waitFor();
		await editor.page.keyboard.press('Enter');
		await found('Create video').waitFor();
		await found('Avatar Studio').waitFor({ state: 'hidden' });
		await screenshot(editor.page, 'node-list-actions', { isTemporary: true });
		await editor.page.keyboard.press('Enter');
		await editor.panel.ready();
		expect(await editor.panel.field('resource').locator('input').inputValue()).toBe('Video');
		expect(await editor.panel.field('operation').locator('input').inputValue()).toBe('Create');
	});
});

describe('When I start a new workflow', () => {
	it('I find the trigger and choose its event', async () => {
		await editor.open('/workflow/new');
		await editor.page.getByTestId('canvas-add-button').locator('button').first().click();
		await searchBar().fill('Avatar Studio');
		await found('Avatar Studio').click();
		await found('On new voice').waitFor();
		await found('Avatar Studio').waitFor({ state: 'hidden' });
		const [asset, voice] = await list().getByTestId('node-creator-item-name').allInnerTexts();
		expect([asset, voice]).toEqual(['On new asset', 'On new voice']);
		await found('On new voice').click();
		await editor.panel.ready();
		expect(await editor.panel.field('event').locator('input').inputValue()).toBe('New Voice');
	});
});
