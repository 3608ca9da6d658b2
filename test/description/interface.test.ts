import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { AvatarStudioApi } from '../../credentials/AvatarStudioApi.credentials';
import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import { getNestedProperties, getOptions, operations } from '../support/operations';

const FILE = join(__dirname, 'interface.json');

type Entry = [name: string, description: string];

const readSaved = () => JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>;

/** Every name that saved workflows refer to, with its type, default, choices and condition. */
function describeInterface(): Entry[] {
	const node = new AvatarStudio().description;
	const trigger = new AvatarStudioTrigger().description;
	const credential = new AvatarStudioApi();
	return [
		...[node, trigger].map(({ name, version }): Entry => [name, `node ${String(version)}`]),
		...operations.flatMap(({ label, resource, operation, fields }) => {
			const path = `${resource.value}.${operation.value}`;
			return [[path, label] satisfies Entry, ...describeFields(path, fields)];
		}),
		...describeFields(
			trigger.name,
			trigger.properties.filter(({ type }) => type !== 'hidden'),
		),
		...describeFields(credential.name, credential.properties),
	];
}

function describeFields(path: string, fields: INodeProperties[]): Entry[] {
	return fields
		.filter(({ type }) => type !== 'notice')
		.flatMap((field) => [
			[`${path}.${field.name}`, describeField(field)],
			...describeFields(`${path}.${field.name}`, getNestedProperties(field)),
		]);
}

function describeField(field: INodeProperties): string {
	const { type, default: value, modes, displayOptions = {} } = field;
	const choices = modes?.map(({ name }) => name) ?? getOptions(field).map((option) => option.value);
	const conditions = Object.entries(displayOptions.show ?? {})
		.filter(([name]) => name !== 'resource' && name !== 'operation')
		.map(([name, values]) => `${name}=${(values as string[]).join()}`);
	return [
		type === 'collection' ? type : `${type} ${JSON.stringify(value)}`,
		choices.length > 0 ? `of ${choices.sort().join(', ')}` : [],
		conditions.length > 0 ? `if ${conditions.join(', ')}` : [],
	]
		.flat()
		.join(' ');
}

test('No saved workflow breaks: nothing it refers to is missing or changed (npm run docs adds what is new)', () => {
	const present = Object.fromEntries(describeInterface());
	if (process.env.npm_lifecycle_event === 'docs') {
		const all = { ...present, ...readSaved() };
		writeFileSync(FILE, `${JSON.stringify(all, Object.keys(all).sort(), '\t')}\n`);
	}
	expect(present).toEqual(readSaved());
});
