import { existsSync } from 'node:fs';
import path from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { AvatarStudioApi } from '../../credentials/AvatarStudioApi.credentials';
import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import { getNestedProperties, getOptions, operations } from '../support/operations';

// n8n's own guidelines for texts in the editor, as far as ESLint does not hold them.

const node = new AvatarStudio().description;
const trigger = new AvatarStudioTrigger().description;

/** Every field of both nodes and the credential that users can see. */
const fields = [...node.properties, ...trigger.properties]
	.flatMap((field) => [field, ...getNestedProperties(field)])
	.concat(new AvatarStudioApi().properties)
	.filter(({ type }) => type !== 'hidden');

test('Every field has a description, for users and agents alike', () => {
	const withoutOne = ['resource', 'operation', 'event', 'collection', 'notice'];
	const isBare = ({ name, type, description }: INodeProperties) =>
		!description && !withoutOne.includes(name) && !withoutOne.includes(type);
	expect(fields.filter(isBare).map(({ name }) => name)).toStrictEqual([]);
});

test.each(operations)(
	'The fields of $label stand in the order in which it lists them, whoever shares them',
	({ fields: shown, declared }) => {
		const names = new Set(shown.map(({ name }) => name));
		expect([...names]).toEqual(declared.map(({ name }) => name));
	},
);

test('The editor lists first what most users come for, and selects it', () => {
	const [resource, ...rest] = node.properties;
	const listed = rest.filter(({ name }) => name === 'operation');
	const [resources, ...lists] = [resource!, ...listed].map((field) =>
		getOptions(field).map(({ name }) => name),
	);
	expect(resources!.slice(0, 5)).toStrictEqual(['Video', 'Speech', 'Avatar', 'Voice', 'Asset']);
	const first = lists.slice(0, 5).map((names) => names[0]);
	expect(first).toStrictEqual(['Create', 'Create', 'Get Many', 'Get Many', 'Get Many']);
	expect(lists[4]!.at(-1)).toBe('Delete');
	for (const field of [resource!, ...listed]) {
		expect(field.default).toBe(getOptions(field)[0]!.value);
	}
});

describe.each(['Video: Create', 'Speech: Create'])('%s', (label) => {
	const { fields: shown } = operations.find((operation) => operation.label === label)!;

	it('says its price above its fields', () => {
		const { type, displayName, displayOptions } = shown[0]!;
		expect(type).toBe('notice');
		expect(displayName).toMatch(
			/^Each input item creates .* and may cost credits\. While you build, add Dry Run below or pin the output\.$/,
		);
		expect(displayOptions!.hide).toStrictEqual({ '@tool': [true] });
	});

	it('offers Dry Run and Download File before other options', () => {
		const options = getNestedProperties(shown.find(({ name }) => name === 'options')!);
		const first = options.slice(0, 2).map(({ displayName }) => displayName);
		expect(first).toStrictEqual(['Dry Run', 'Download File']);
	});
});

test('The node says to agents what a call may cost', () => {
	const description = expect.stringContaining('may cost credits');
	expect(node.usableAsTool).toMatchObject({ replacements: { description } });
});

test('Keys are masked, and long texts have large fields', () => {
	const find = (wanted: string) => fields.find(({ name }) => name === wanted)?.typeOptions;
	expect(find('apiKey')).toStrictEqual({ password: true });
	expect(find('encryptedKey')).toStrictEqual({ password: true });
	expect(find('script')?.rows).toBeGreaterThan(1);
});

test('Both nodes and the credential have an icon for the light and the dark theme', () => {
	const folder = path.resolve(__dirname, '../../nodes/AvatarStudio');
	for (const { icon } of [node, trigger, new AvatarStudioApi()]) {
		const { light, dark } = icon as { light: string; dark: string };
		expect(dark).toMatch(/\.dark\.svg$/);
		for (const file of [light, dark]) {
			expect(existsSync(path.join(folder, path.basename(file).replace('file:', '')))).toBe(true);
		}
	}
});
