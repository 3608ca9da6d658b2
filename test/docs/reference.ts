import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import {
	type DescribedOperation,
	getNestedProperties,
	getOptions,
	operations,
	resources,
} from '../support/operations';

import { toAnchor } from './examples';

const SCHEMAS = join(__dirname, '../../nodes/AvatarStudio/__schema__/v1.0.0');

interface OutputSchema {
	properties: Record<string, unknown>;
}

/** Fields that only control the node. */
const LOCAL_FIELDS = new Set(['resource', 'operation', 'binaryPropertyName']);

/** What the node sends if the user fills in the required fields only, beside these. */
const ADDED_FIELDS: Record<string, string[]> = {
	'Asset: Import From URL': ['name'],
	'Asset: Upload': ['name', 'fileUrl'],
	'Video: Create': ['videoTitle'],
};

/** What has fields: an operation, or an event of the trigger. */
interface FieldOwner {
	name: string;
	fields: INodeProperties[];
}

/** @returns the generated part of the reference as Markdown, built from the nodes' descriptions */
export function buildReference(): string {
	const trigger = new AvatarStudioTrigger().description;
	const sections = [
		'# Reference',
		'The requests, outputs and fields of every operation, generated from the nodes by `npm run docs`. An option gets its default value when you add it. [assumptions.md](assumptions.md) lists what the service does not document. For documented responses, the editor shows the output fields before the first run:',
		'![The fields of a voice, before anything was executed](screenshots/output-preview.png)',
		'## Requests and outputs',
		'A request has these fields if only the required ones are filled in. **Dry Run** returns the whole request instead of sending it, as `{ "dryRun": true, "request": { "method": …, "url": …, "body": … } }`: without the API key and, in the link of **Asset: Upload**, without the token that would open the file.',
		formatTable([['Operation', 'Request', 'Output'], ...operations.map(describeOperation)]),
		...resources.flatMap(describeResource),
		`## ${trigger.displayName}`,
		describeFields('Trigger On', listEvents(trigger.properties)),
	];
	return `${sections.join('\n\n')}\n`;
}

/** @returns the table of operations in `README.md` */
export function buildOperationsTable(): string {
	const rows = operations.map(({ resource, operation: { name, description = '' }, route }) => [
		resource.name,
		name,
		description,
		`\`${route}\``,
	]);
	return formatTable([['Resource', 'Operation', 'Description', 'Route'], ...rows]);
}

function describeResource(resource: INodePropertyOptions, index: number): string[] {
	const earlier = resources.slice(0, index);
	return [`## ${resource.name}`, describeResourceFields(findOperations(resource), earlier)];
}

/** Refers to an earlier resource if that has all fields of these operations, with the same texts. */
function describeResourceFields(
	own: DescribedOperation[],
	earlier: INodePropertyOptions[],
): string {
	const rows = own.flatMap(listFieldRows);
	const other = earlier.find((resource) => {
		const described = new Set(findOperations(resource).flatMap(listFieldRows).map(String));
		return rows.every((row) => described.has(String(row)));
	});
	if (other) {
		const names = rows.map(([, name]) => name).join(', ');
		return `Its fields are described under [${other.name}](#${toAnchor(other.name)}): ${names}.`;
	}
	const owners = own.map(({ operation, fields }) => ({ name: operation.name, fields }));
	return describeFields('Operation', owners);
}

function findOperations({ value }: INodePropertyOptions): DescribedOperation[] {
	return operations.filter(({ resource }) => resource.value === value);
}

function describeOperation(described: DescribedOperation): string[] {
	const { label, route, parameters } = described;
	const names = [...(ADDED_FIELDS[label] ?? []), ...Object.keys(parameters)];
	return [label, describeRequest(route, names), describeOutput(described)];
}

function describeRequest(route: string, names: string[]): string {
	const sent = names.filter((name) => !LOCAL_FIELDS.has(name) && !route.includes(`{${name}}`));
	return `\`${route}\`${sent.length > 0 ? ` with ${listNames(sent)}` : ''}`;
}

function listEvents(properties: INodeProperties[]): FieldOwner[] {
	const choice = properties.find(({ name }) => name === 'event')!;
	return getOptions(choice).map(({ name, value }) => ({
		name,
		fields: properties.filter(
			({ displayOptions }) => displayOptions?.show?.event?.includes(value) ?? true,
		),
	}));
}

/** Describes a field that several owners have once. The first column names them if there are several. */
function describeFields(ownerTitle: string, owners: FieldOwner[]): string {
	const rows = new Map<string, { names: string[]; cells: string[] }>();
	for (const owner of owners) {
		for (const cells of listFieldRows(owner)) {
			const names = rows.get(String(cells))?.names ?? [];
			rows.set(String(cells), { names: [...names, owner.name], cells });
		}
	}
	const table = [
		[ownerTitle, 'Field', 'Name', 'Type', 'Default', 'Description'],
		...Array.from(rows.values(), ({ names, cells }) => [names.join(', '), ...cells]),
	];
	return formatTable(owners.length === 1 ? table.map(([, ...cells]) => cells) : table);
}

/** Lists the cells of each field's row. A collection has a row for each entry, and none of its own. */
function listFieldRows({ fields }: { fields: INodeProperties[] }): string[][] {
	const shown = fields.filter(({ type }) => type !== 'notice' && type !== 'hidden');
	return shown.flatMap((field) => {
		if (field.type !== 'collection') return [describeField(field)];
		return getNestedProperties(field).map((entry) => describeField(entry, field));
	});
}

function describeField(field: INodeProperties, collection?: INodeProperties): string[] {
	const { displayName, name, required, description = '' } = field;
	const label = `${collection ? `${collection.displayName} → ` : ''}${displayName}`;
	return [
		`${label}${required ? ' (required)' : ''}`,
		`\`${collection ? `${collection.name}.` : ''}${name}\``,
		describeType(field),
		describeDefault(field),
		description.replace(/<[^>]*>/g, '').replaceAll('*', '\\*'),
	];
}

function describeType(field: INodeProperties): string {
	const choices = getOptions(field).map(({ value }) => `\`${value}\``);
	if (field.type === 'resourceLocator') {
		return (field.modes ?? []).map((mode) => mode.displayName).join(', ');
	}
	return choices.length > 0 ? choices.join(', ') : field.type;
}

function describeDefault({ type, default: value }: INodeProperties): string {
	if (type === 'resourceLocator' || value === '') return '';
	return `\`${JSON.stringify(value)}\``;
}

/** What `service/openapi.yaml` documents of the response; the rest is passed on unchanged. */
function describeOutput({ resource, operation, route, fields }: DescribedOperation): string {
	const file = join(SCHEMAS, String(resource.value), `${String(operation.value)}.json`);
	if (existsSync(file)) {
		const { properties } = JSON.parse(readFileSync(file, 'utf8')) as OutputSchema;
		return listNames(Object.keys(properties));
	}
	if (!route.startsWith('GET ')) return '[whatever the service responds](#undocumented-responses)';
	const isList = fields.some(({ name }) => name === 'returnAll');
	return isList ? 'each record of the list, unchanged' : 'the record, unchanged';
}

function listNames(names: string[]): string {
	return names.map((name) => `\`${name}\``).join(', ');
}

/** @param rows the first of which is the header */
function formatTable([header = [], ...rows]: string[][]): string {
	const lines = [header, header.map(() => '---'), ...rows].map(
		(cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
	);
	return lines.join('\n');
}
