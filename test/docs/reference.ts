import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import { type DescribedOperation, operations, resources } from '../support/operations';
import { getNestedProperties, getOptions } from '../support/properties';

const SCHEMAS = join(__dirname, '../../nodes/AvatarStudio/__schema__/v1.0.0');

interface OutputSchema {
	properties: Record<string, { type: string | string[] }>;
}

/** @returns the reference of both nodes as Markdown, built from their descriptions */
export function buildReference(): string {
	const trigger = new AvatarStudioTrigger().description;
	const sections = [
		'# Reference',
		'Generated from the nodes by `npm run docs`. What the service leaves undocumented, and how the node deals with it, is in [assumptions.md](assumptions.md).',
		...resources.flatMap(({ name, value, description = '' }) => [
			`## ${name}`,
			description,
			...operations.filter(({ resource }) => resource.value === value).flatMap(describeOperation),
		]),
		`## ${trigger.displayName}`,
		trigger.description,
		describeFields(trigger.properties),
	];
	return `${sections.join('\n\n')}\n`;
}

/** @returns the table of operations in `README.md` */
export function buildOperationsTable(): string {
	const rows = operations.map(
		({ resource, operation: { name, description = '' }, route }) =>
			`| ${resource.name} | ${name} | ${description} | \`${route}\` |`,
	);
	return [
		'| Resource | Operation | Description | Route |',
		'| --- | --- | --- | --- |',
		...rows,
	].join('\n');
}

function describeOperation({ label, resource, operation, route, fields }: DescribedOperation) {
	return [
		`### ${label}`,
		`${operation.description ?? ''}.`,
		`Route: \`${route}\``,
		describeFields(fields),
		describeOutput(String(resource.value), String(operation.value)),
	];
}

function describeFields(fields: INodeProperties[]): string {
	const rows = fields
		.filter(({ type }) => type !== 'notice')
		.flatMap((field) => [
			describeField(field),
			...getNestedProperties(field).map((entry) => describeField(entry, field)),
		]);
	return ['| Field | Name | Type | Default | |', '| --- | --- | --- | --- | --- |', ...rows].join(
		'\n',
	);
}

function describeField(field: INodeProperties, collection?: INodeProperties): string {
	const { displayName, name, required, description = '' } = field;
	const label = `${collection ? `${collection.displayName} → ` : ''}${displayName}`;
	const cells = [
		`${label}${required ? ' (required)' : ''}`,
		`\`${name}\``,
		describeType(field),
		describeDefault(field),
		description.replace(/<[^>]*>/g, ''),
	];
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function describeType(field: INodeProperties): string {
	const choices = getOptions(field).map(({ value }) => `\`${value}\``);
	if (field.type === 'resourceLocator') {
		return (field.modes ?? []).map((mode) => mode.displayName).join(', ');
	}
	return choices.length > 0 ? choices.join(', ') : field.type;
}

function describeDefault({ type, default: value }: INodeProperties): string {
	if (['collection', 'resourceLocator'].includes(type) || value === '') return '';
	return `\`${JSON.stringify(value)}\``;
}

/** What `service/openapi.yaml` documents of the response; the rest is passed on unchanged. */
function describeOutput(resource: string, operation: string): string {
	const file = join(SCHEMAS, resource, `${operation}.json`);
	if (!existsSync(file)) {
		return 'Output: the response is not documented. An object becomes one item, a list one item per entry, text `{ "data": "…" }`, an empty response `{ "success": true }`, and a file a binary file.';
	}
	const { properties } = JSON.parse(readFileSync(file, 'utf8')) as OutputSchema;
	const fields = Object.entries(properties).map(
		([name, { type }]) => `\`${name}\` (${[type].flat().join(' or ')})`,
	);
	return `Output: ${fields.join(', ')}`;
}
