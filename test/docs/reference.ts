import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import type { ErrorCode } from '../../nodes/AvatarStudio/errors/errorCode';
import { type DescribedOperation, operations, resources } from '../support/operations';
import { getNestedProperties, getOptions } from '../support/properties';

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

/** Every code with its meaning; the type makes the list complete. */
export const CODES: Record<ErrorCode, string> = {
	invalidValue:
		'A value of the item or the credential is empty, invalid, or matches no record or several. Nothing was created.',
	runStopped: 'Not sent, because another request of the run failed.',
	unauthorized: 'The service rejected the API key (401).',
	noCredits: 'The plan or the credits of the account do not suffice (402).',
	forbidden: 'The account is not allowed to do this (403).',
	notFound: 'There is no record with this ID (404).',
	wrongAddress: 'Base URL leads to something other than the service.',
	conflict: 'The record is in a state that does not allow this (409).',
	tooLarge: 'The request is too large for the service (413).',
	rejected: 'The service rejected the request for another reason (4xx).',
	rateLimited: 'The service received too many requests for longer than the node waits (429).',
	firewall: 'A firewall in front of the service blocked n8n.',
	proxy: 'The proxy cannot be reached, or requires a password.',
	connection: 'The service could not be reached, or the connection was interrupted.',
	insecureConnection: 'The certificate of the service is not valid.',
	timeout: 'The service did not respond in time.',
	unavailable: 'The service failed or is down (5xx).',
	redirected: 'The service redirected the request to another address.',
	unexpectedResponse: 'The response could not be read.',
	noFile: 'The link leads to something other than a file.',
	privateHost: 'The link leads into a private network and was not followed.',
	storage: 'n8n could not store the file.',
	cancelled: 'The execution was cancelled.',
	unexpected: 'An error of n8n or of this node.',
};

const SHARED_SECTIONS = `## Assets and their links

The link in \`url\` works for 12 hours (43,200 seconds), for anyone who has it. Store an asset's ID instead and get a fresh link with **Asset: Get**, or keep the file with **Asset: Download**.

## Undocumented responses

The service does not document what it answers to **Speech: Create** and **Video: Create**. The node keeps all of it:

| Response | Output |
| --- | --- |
| a JSON object | that object |
| a JSON array | one item per entry |
| text | \`{ "data": "the text" }\` |
| nothing, or \`{}\` | \`{ "success": true }\` |
| a file | \`{ "fileName": "speech.wav", "mimeType": "audio/wav", "fileSize": "88 kB" }\`, plus the file |

If **Download File** is on, the node downloads the file that the response links to and adds it to the item. If the response contains several links, enter the name of the right one's field in **Link Field**. If the download fails, the item does not: it contains the response, and \`fileError\` gives the reason.

## Dry Run

The output of **Dry Run** is \`{ "dryRun": true, "request": { "method": …, "url": …, "body": … } }\`, without the API key. In the link of **Asset: Upload**, the token that would open the file is missing.

## When an item fails

If **On Error** is set to continue, the error item contains the complete text in \`error\`, what happened in \`message\`, what to do next in \`nextStep\`, the HTTP status in \`httpCode\` if the service responded, the cause in \`code\`, and in \`mayExist\` whether the item may have created something all the same:

\`\`\`json
{
	"error": "The service found nothing under this ID (404): There is no asset 0bba4177-59b9-5e58-a29b-31960ddb3f18 [item 2]. Check the ID: …",
	"message": "The service found nothing under this ID (404): There is no asset 0bba4177-59b9-5e58-a29b-31960ddb3f18",
	"nextStep": "Check the ID: …",
	"httpCode": 404,
	"code": "notFound",
	"mayExist": false
}
\`\`\`

On the error output, the item also contains the fields of the input item. If the node stops the workflow instead, the error's message says what happened and its description what to do next; \`error.context.data\` contains the service's response. An AI agent gets everything as one text.

If \`mayExist\` is true, look in the studio application before you run the item again: a second run may create, and charge for, the same thing twice. Messages may change; a workflow should act on \`code\`:

| \`code\` | Cause |
| --- | --- |
${Object.entries(CODES)
	.map(([code, cause]) => `| \`${code}\` | ${cause} |`)
	.join('\n')}`;

/** @returns the reference of both nodes as Markdown, built from their descriptions */
export function buildReference(): string {
	const trigger = new AvatarStudioTrigger().description;
	const sections = [
		'# Reference',
		'Every operation with its fields, its request and its output. Generated from the nodes by `npm run docs`. The default of an option is its value once it is added. A request with the required fields only contains the fields listed after it; **Dry Run** shows it whole. What the service leaves undocumented is in [assumptions.md](assumptions.md). The editor shows the output fields of documented responses before the first run:',
		'![The fields of a voice, before anything was executed](screenshots/output-preview.png)',
		...resources.flatMap(({ name, value, description = '' }) => [
			`## ${name}`,
			description,
			...operations.filter(({ resource }) => resource.value === value).flatMap(describeOperation),
		]),
		`## ${trigger.displayName}`,
		trigger.description,
		describeFields(trigger.properties),
		SHARED_SECTIONS,
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

function describeOperation({
	label,
	resource,
	operation,
	route,
	fields,
	parameters,
}: DescribedOperation) {
	return [
		`### ${label}`,
		`${operation.description ?? ''}.`,
		describeFields(fields),
		[
			describeRequest(route, [...(ADDED_FIELDS[label] ?? []), ...Object.keys(parameters)]),
			describeOutput(String(resource.value), String(operation.value)),
		].join('\n'),
	];
}

function describeRequest(route: string, names: string[]): string {
	const sent = names.filter((name) => !LOCAL_FIELDS.has(name) && !route.includes(`{${name}}`));
	return `- Request: \`${route}\`${sent.length > 0 ? ` with ${listNames(sent)}` : ''}`;
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
	if (!existsSync(file))
		return '- Output: [whatever the service responds](#undocumented-responses)';
	const { properties } = JSON.parse(readFileSync(file, 'utf8')) as OutputSchema;
	return `- Output: ${listNames(Object.keys(properties))}`;
}

function listNames(names: string[]): string {
	return names.map((name) => `\`${name}\``).join(', ');
}
