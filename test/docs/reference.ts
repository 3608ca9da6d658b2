import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import {
	type DescribedOperation,
	getNestedProperties,
	getOptions,
	operations,
	resources,
} from '../support/operations';

const SCHEMAS = join(__dirname, '../../nodes/AvatarStudio/__schema__/v1.0.0');

interface OutputSchema {
	properties: Record<string, unknown>;
}

/** Fields that only control the node. */
const LOCAL_FIELDS = new Set(['resource', 'operation', 'binaryPropertyName', 'inputDataFieldName']);

/** What the node sends if the user fills in the required fields only, beside these. */
const ADDED_FIELDS: Record<string, string[]> = {
	'Asset: Upload': ['name', 'fileUrl', 'type'],
	'Video: Create': ['videoTitle'],
};

/** @returns the generated part of the reference as Markdown, built from the nodes' descriptions */
export function buildReference(): string {
	const trigger = new AvatarStudioTrigger().description;
	const sections = [
		'# Reference',
		'Every operation with its fields, its request and its output. Generated from the nodes by `npm run docs`. The default of an option is its value once it is added. A request with the required fields only contains the fields listed with it; **Dry Run** shows it whole. What the service leaves undocumented is in [assumptions.md](assumptions.md). The editor shows the output fields of documented responses before the first run:',
		'![The fields of a voice, before anything was executed](screenshots/output-preview.png)',
		...resources.flatMap(({ name, value }) => [
			`## ${name}`,
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
	return buildTable('| Resource | Operation | Description | Route |', rows);
}

function describeOperation(described: DescribedOperation): string[] {
	const { label, resource, operation, route, fields, parameters } = described;
	return [
		`### ${label}`,
		[
			`${operation.description ?? ''}.`,
			describeRequest(route, [...(ADDED_FIELDS[label] ?? []), ...Object.keys(parameters)]),
			describeOutput(String(resource.value), String(operation.value)),
		].join(' '),
		describeFields(fields),
	];
}

function describeRequest(route: string, names: string[]): string {
	const sent = names.filter((name) => !LOCAL_FIELDS.has(name) && !route.includes(`{${name}}`));
	return `Request: \`${route}\`${sent.length > 0 ? ` with ${listNames(sent)}` : ''}.`;
}

function describeFields(fields: INodeProperties[]): string {
	const rows = fields
		.filter(({ type }) => type !== 'notice' && type !== 'hidden')
		.flatMap((field) => [
			describeField(field),
			...getNestedProperties(field).map((entry) => describeField(entry, field)),
		]);
	return buildTable('| Field | Name | Type | Default | |', rows);
}

function buildTable(header: string, rows: string[]): string {
	return [header, header.replace(/[^|]+/g, ' --- '), ...rows].join('\n');
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
	if (!existsSync(file)) return 'Output: [whatever the service responds](#undocumented-responses).';
	const { properties } = JSON.parse(readFileSync(file, 'utf8')) as OutputSchema;
	return `Output: ${listNames(Object.keys(properties))}.`;
}

function listNames(names: string[]): string {
	return names.map((name) => `\`${name}\``).join(', ');
}
