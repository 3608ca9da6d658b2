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
	const tool = typeof usableAsTool === 'object' && usableAsTool.replacements?.description;
	const hint = `Search hint: ${builderHint?.searchHint ?? ''}`;
	return [`# ${name}\n${description}`, ...(tool ? [`As a tool: ${tool}`] : []), hint];
}

/** n8n's texts have no full stop if they are one sentence. */
function joinSentences(texts: unknown[]): string {
	return texts.filter(Boolean).join('. ').replaceAll('.. ', '. ');
}

function describeField(field: INodeProperties, indent = ''): string[] {
	const { name, type, required, displayName, description, hint, modes = [] } = field;
	const texts = joinSentences([description, hint]);
	const preset = JSON.stringify(field.default);
	const kind = `${type}${required ? ', required' : ''}${preset === '""' ? '' : `, ${preset}`}`;
	const choices = [
		...modes.map((mode) => [mode.name, mode.displayName, mode.placeholder, mode.hint]),
		...getOptions(field).map((option) => [option.value, option.name, option.description]),
	];
	return [
		`${indent}${name} (${kind}) ${displayName}: ${texts.replace(/<[^>]*>/g, '')}`.trimEnd(),
		...choices.map(([key, ...rest]) => `${indent}  "${key}" ${joinSentences(rest)}`),
		...getNestedProperties(field).flatMap((entry) => describeField(entry, `${indent}  `)),
	];
}

function describeFields(fields: INodeProperties[]): string {
	const shown = fields.filter(({ type }) => type !== 'notice');
	return shown.flatMap((field) => describeField(field)).join('\n');
}

function buildText(): string {
	const sections = operations.map(({ resource, operation, route, fields }) => {
		const title = `${resource.value}.${operation.value}: ${operation.description} (${route})`;
		return `## ${title}\n${describeFields(fields)}`;
	});
	const ofTrigger = describeFields(trigger.properties.filter(({ type }) => type !== 'hidden'));
	const all = [...describeNode(node), ...sections, ...describeNode(trigger), ofTrigger];
	return `${all.join('\n\n')}\n`;
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

test('The search hint has an example of each resource locator', () => {
	const fields = operations.flatMap((operation) => operation.fields);
	const all = fields.flatMap((field) => [field, ...getNestedProperties(field)]);
	for (const { name } of all.filter(({ type }) => type === 'resourceLocator')) {
		expect(node.builderHint!.searchHint).toContain(`${name} {"__rl":true,"mode":"name","value":"`);
	}
});

test('The search hint says how to try, to filter and to read errors and the file', () => {
	const words = ['options.dryRun', 'filters.nameContains', 'filters.languageCode', 'fileUrl'];
	for (const word of [...words, 'error', 'errorDetails', 'nextStep']) {
		expect(node.builderHint!.searchHint).toMatch(new RegExp(`\\b${word}\\b`));
	}
});
