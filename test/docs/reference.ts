import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';

const ROOT = join(__dirname, '..', '..');
const SCHEMAS = join(ROOT, 'nodes', 'AvatarStudio', '__schema__', 'v1.0.0');

/** Written by `npm run docs`. */
export const REFERENCE_FILE = join(ROOT, 'docs', 'reference.md');

interface OutputSchema {
	properties: Record<string, { type: string | string[] }>;
}

/** @returns the reference of both nodes as Markdown, built from their descriptions */
export function buildReference(): string {
	const node = new AvatarStudio().description;
	const trigger = new AvatarStudioTrigger().description;
	const sections = [
		'# Reference',
		'Generated from the nodes by `npm run docs`. What the service leaves undocumented, and how the node deals with it, is in [assumptions.md](assumptions.md).',
		...getChoices(findProperty(node, 'resource')).flatMap((resource) =>
			describeResource(node, resource),
		),
		`## ${trigger.displayName}`,
		trigger.description,
		describeFields(trigger.properties),
	];
	return `${sections.join('\n\n')}\n`;
}

function describeResource(
	{ properties }: INodeTypeDescription,
	{ name, value: resource, description = '' }: INodePropertyOptions,
): string[] {
	const operations = properties.find(
		(property) => property.name === 'operation' && isShownFor(property, { resource }),
	);
	if (!operations) throw new Error(`${name} has no operations`);
	return [
		`## ${name}`,
		description,
		...getChoices(operations).flatMap((operation) => {
			const shownFor = { resource, operation: operation.value };
			const fields = properties.filter(
				(property) =>
					!['resource', 'operation'].includes(property.name) && isShownFor(property, shownFor),
			);
			return [
				`### ${name}: ${operation.name}`,
				`${operation.description ?? ''}.`,
				`Route: \`${describeRoute(operation)}\``,
				describeFields(fields),
				describeOutput(String(resource), String(operation.value)),
			];
		}),
	];
}

function describeRoute({ routing }: INodePropertyOptions): string {
	const { method, url } = routing?.request ?? {};
	return [method, url].join(' ');
}

function describeFields(fields: INodeProperties[]): string {
	const rows = fields
		.filter(({ type }) => type !== 'notice')
		.flatMap((field) => [
			describeField(field),
			...getEntries(field).map((entry) => describeField(entry, field)),
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
	const choices = getChoices(field).map(({ value }) => `\`${value}\``);
	if (field.type === 'resourceLocator') {
		return (field.modes ?? []).map((mode) => mode.displayName).join(', ');
	}
	return choices.length > 0 ? choices.join(', ') : field.type;
}

function describeDefault({ type, default: value }: INodeProperties): string {
	if (['collection', 'resourceLocator'].includes(type) || value === '') return '';
	return `\`${JSON.stringify(value)}\``;
}

/** What `service/openapi.yaml` documents of the response; the rest is passed on as it is. */
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

function findProperty({ properties }: INodeTypeDescription, name: string): INodeProperties {
	const property = properties.find((candidate) => candidate.name === name);
	if (!property) throw new Error(`The node has no property ${name}`);
	return property;
}

function isShownFor(
	{ displayOptions }: INodeProperties,
	parameters: Record<string, unknown>,
): boolean {
	return Object.entries(parameters).every(
		([name, value]) => displayOptions?.show?.[name]?.includes(value as string) ?? false,
	);
}

function getChoices({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return ['options', 'multiOptions'].includes(type) ? (options as INodePropertyOptions[]) : [];
}

function getEntries({ type, options = [] }: INodeProperties): INodeProperties[] {
	return type === 'collection' ? (options as INodeProperties[]) : [];
}
