import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import { isUpdate } from '../docs/update';
import { getNestedProperties, getOptions, operations } from '../support/operations';

// What a model reads that writes a workflow: nothing else tells it how to use the nodes.

const FILE = join(__dirname, 'models.txt');
const node = new AvatarStudio().description;
const trigger = new AvatarStudioTrigger().description;

function describeNode({ name, description, builderHint, usableAsTool }: INodeTypeDescription) {
	const tool =
		typeof usableAsTool === 'object' ? usableAsTool.replacements?.description : undefined;
	return [
		`# ${name}\n${description}`,
		...(tool === undefined ? [] : [`As a tool: ${tool}`]),
		`Search hint: ${builderHint?.searchHint ?? ''}`,
	];
}

function describeField(field: INodeProperties, indent = ''): string[] {
	const {
		name,
		type,
		required,
		displayName,
		description,
		hint,
		modes = [],
		default: value,
	} = field;
	const texts = [description, hint]
		.filter(Boolean)
		.join(' ')
		.replace(/<[^>]*>/g, '');
	const preset = JSON.stringify(value);
	const kind = `${type}${required ? ', required' : ''}${preset === '""' ? '' : `, ${preset}`}`;
	const choices = [
		...modes.map((mode) => [mode.name, mode.displayName, mode.placeholder, mode.hint]),
		...getOptions(field).map((option) => [option.value, option.name, option.description]),
	];
	return [
		`${indent}${name} (${kind}) ${displayName}: ${texts}`.trimEnd(),
		...choices.map(
			([first, ...rest]) => `${indent}  "${first}" ${rest.filter(Boolean).join('. ')}`,
		),
		...getNestedProperties(field).flatMap((entry) => describeField(entry, `${indent}  `)),
	];
}

function describeFields(fields: INodeProperties[]): string {
	const shown = fields.filter(({ type }) => type !== 'notice');
	return shown.flatMap((field) => describeField(field)).join('\n');
}

function buildText(): string {
	return `${[
		...describeNode(node),
		...operations.map(({ resource, operation, route, fields }) =>
			[
				`## ${resource.value}.${operation.value}: ${operation.description} (${route})`,
				describeFields(fields),
			].join('\n'),
		),
		...describeNode(trigger),
		describeFields(trigger.properties.filter(({ type }) => type !== 'hidden')),
	].join('\n\n')}\n`;
}

test('models.txt shows what a model reads of the nodes (npm run docs updates it)', () => {
	const text = buildText();
	if (isUpdate) writeFileSync(FILE, text);
	expect(text).toBe(readFileSync(FILE, 'utf8'));
});

test.each([node, trigger])('The search hint of $name names fields that exist', (description) => {
	const hint = description.builderHint!.searchHint!;
	const paths = description.properties.flatMap((field) =>
		getNestedProperties(field).map((entry) => `${field.name}.${entry.name}`),
	);
	const named = hint.match(/\b(?:additionalFields|filters|options)\.\w+/g) ?? [];
	expect(paths).toEqual(expect.arrayContaining(named));
});

test('The search hint says how to try, to filter and to read errors and the file', () => {
	const words = ['options.dryRun', 'filters.nameContains', 'filters.languageCode', 'fileUrl'];
	for (const word of [...words, 'error', 'message', 'nextStep']) {
		expect(node.builderHint!.searchHint).toMatch(new RegExp(`\\b${word}\\b`));
	}
});
