import type { INodeParameters } from 'n8n-workflow';

import { AvatarStudioApi } from '../../credentials/AvatarStudioApi.credentials';
import { getNodeType, NODE, startEngine } from '../support/engine/engine';
import { operations, resources } from '../support/operations';
import {
	flattenProperties,
	getNestedProperties,
	getOptions,
	getProperties,
	getVisibleProperties,
} from '../support/properties';

// What saved workflows refer to. None of it may ever change.

beforeAll(async () => await startEngine());

const namesOf = (properties: { name: string }[]) => properties.map(({ name }) => name);
test('The node is called Avatar Studio and uses one credential', () => {
	const { displayName, name, credentials, version } = getNodeType(NODE).description;
	expect({ displayName, name, version }).toStrictEqual({
		displayName: 'Avatar Studio',
		name: 'avatarStudio',
		version: 1,
	});
	expect(namesOf(credentials ?? [])).toStrictEqual(['avatarStudioApi']);
	expect(credentials![0]!.required).toBe(true);
});

test('The node can be used as an agent tool', () => {
	expect(getNodeType(NODE).description.usableAsTool).toMatchObject({
		replacements: { description: expect.stringContaining('may cost credits') },
	});
});

test('No resource is missing or renamed', () => {
	expect(Object.fromEntries(resources.map(({ name, value }) => [value, name]))).toMatchObject({
		asset: 'Asset',
		speech: 'Speech',
		video: 'Video',
		voice: 'Voice',
	});
});

test.each([
	[
		'asset',
		{
			delete: 'Delete',
			download: 'Download',
			get: 'Get',
			getAll: 'Get Many',
			importFromUrl: 'Import From URL',
			update: 'Update',
			upload: 'Upload',
		},
	],
	['speech', { create: 'Create' }],
	['video', { create: 'Create' }],
	['voice', { addApiKey: 'Add API Key', getAll: 'Get Many' }],
])('No operation of %s is missing or renamed', (resource, expected) => {
	const present = operations.filter((candidate) => candidate.resource.value === resource);
	expect(
		Object.fromEntries(present.map(({ operation: { name, value } }) => [value, name])),
	).toMatchObject(expected);
});

const fields: [INodeParameters, string[]][] = [
	[{ resource: 'asset', operation: 'getAll' }, ['returnAll', 'limit', 'filters', 'options']],
	[
		{ resource: 'asset', operation: 'getAll', returnAll: true },
		['returnAll', 'filters', 'options'],
	],
	[{ resource: 'asset', operation: 'upload' }, ['inputDataFieldName', 'options']],
	[{ resource: 'asset', operation: 'get' }, ['assetId']],
	[{ resource: 'asset', operation: 'update' }, ['assetId', 'name']],
	[{ resource: 'asset', operation: 'delete' }, ['assetId']],
	[{ resource: 'asset', operation: 'importFromUrl' }, ['name', 'fileUrl', 'type', 'options']],
	[
		{ resource: 'asset', operation: 'importFromUrl', type: 'custom' },
		['name', 'fileUrl', 'type', 'customType', 'options'],
	],
	[{ resource: 'asset', operation: 'download' }, ['assetId', 'binaryPropertyName']],
	[{ resource: 'speech', operation: 'create' }, ['voiceId', 'script', 'options']],
	[
		{ resource: 'video', operation: 'create' },
		['videoTitle', 'script', 'avatarId', 'voiceId', 'additionalFields'],
	],
	[
		{ resource: 'voice', operation: 'getAll' },
		['query', 'returnAll', 'limit', 'filters', 'simplify'],
	],
	[
		{ resource: 'voice', operation: 'getAll', returnAll: true },
		['query', 'returnAll', 'filters', 'simplify'],
	],
	[{ resource: 'voice', operation: 'addApiKey' }, ['providerName', 'serviceName', 'encryptedKey']],
];

test.each(fields)(
	'With %j, the editor shows exactly the fields of the interface',
	(parameters, names) => {
		const seen = namesOf(getVisibleProperties(parameters));
		expect(seen.slice(0, 2)).toStrictEqual(['resource', 'operation']);
		expect(seen.slice(2).sort()).toStrictEqual([...names].sort());
	},
);

test.each<[INodeParameters, string, string[]]>([
	[{ resource: 'asset', operation: 'getAll' }, 'options', ['pageSize', 'firstPage']],
	[
		{ resource: 'speech', operation: 'create' },
		'options',
		[
			'binaryPropertyName',
			'customBody',
			'downloadFile',
			'linkField',
			'retryUnknownOutcome',
			'waitForFileMinutes',
		],
	],
	[
		{ resource: 'asset', operation: 'upload' },
		'options',
		['name', 'type', 'customType', 'ifNameExists', 'retryUnknownOutcome'],
	],
	[{ resource: 'asset', operation: 'getAll' }, 'filters', ['kinds', 'nameContains']],
	[
		{ resource: 'asset', operation: 'importFromUrl' },
		'options',
		['ifNameExists', 'retryUnknownOutcome'],
	],
	[
		{ resource: 'video', operation: 'create' },
		'additionalFields',
		[
			'videoWidth',
			'videoHeight',
			'videoFormat',
			'fullFrame',
			'status',
			'visibility',
			'draft',
			'videoPreviewImageUrl',
			'downloadFile',
			'linkField',
			'binaryPropertyName',
			'customBody',
			'retryUnknownOutcome',
			'waitForFileMinutes',
		],
	],
	[
		{ resource: 'voice', operation: 'getAll' },
		'filters',
		['gender', 'languageCode', 'provider', 'neural'],
	],
])('With %j, %s contains exactly the fields of the interface', (parameters, name, expected) => {
	const collection = getVisibleProperties(parameters).find((property) => property.name === name);
	expect(collection?.type).toBe('collection');
	expect(namesOf(getNestedProperties(collection!)).sort()).toStrictEqual([...expected].sort());
});

test.each([
	['limit', 'number', 50],
	['returnAll', 'boolean', false],
	['pageSize', 'number', 100],
	['firstPage', 'options', 'auto'],
	['name', 'string', ''],
	['fileUrl', 'string', ''],
	['customType', 'string', ''],
	['type', 'options', 'detect'],
	['ifNameExists', 'options', 'create'],
	['waitForFileMinutes', 'number', 0],
	['binaryPropertyName', 'string', 'data'],
	['script', 'string', ''],
	['customBody', 'json', expect.anything()],
	['videoTitle', 'string', ''],
	['avatarId', 'string', ''],
	['videoWidth', 'number', 0],
	['videoHeight', 'number', 0],
	['videoFormat', 'string', 'mp4'],
	['fullFrame', 'boolean', expect.any(Boolean)],
	['status', 'string', ''],
	['visibility', 'string', 'private'],
	['draft', 'boolean', expect.any(Boolean)],
	['videoPreviewImageUrl', 'string', ''],
	['query', 'string', ''],
	['simplify', 'boolean', true],
	['providerName', 'string', ''],
	['serviceName', 'string', ''],
	['encryptedKey', 'string', ''],
])('%s is a %s and defaults to %j', (name, type, value) => {
	const found = flattenProperties(getProperties()).filter((property) => property.name === name);
	expect(found.length).toBeGreaterThan(0);
	for (const property of found) expect(property).toMatchObject({ type, default: value });
});

test.each([
	['type', ['Audio', 'Image', 'Music', 'Video', 'custom', 'detect']],
	['ifNameExists', ['create', 'fail', 'return']],
	['firstPage', ['0', '1', 'auto']],
])('%s has the expected options', (name, expected) => {
	const property = flattenProperties(getProperties()).find((candidate) => candidate.name === name)!;
	expect(
		getOptions(property)
			.map(({ value }) => value as string)
			.sort(),
	).toStrictEqual(expected);
});

test.each([
	['assetId', 'searchAssets', ['list', 'id', 'name']],
	['voiceId', 'searchVoices', ['list', 'id', 'name', 'language']],
])(
	'%s can be chosen from a searchable list or entered in other ways',
	(name, searchListMethod, expected) => {
		const { type, modes } = getProperties().find((property) => property.name === name)!;
		expect(type).toBe('resourceLocator');
		expect(namesOf(modes ?? [])).toStrictEqual(expected);
		expect(modes![0]!.typeOptions).toMatchObject({ searchListMethod, searchable: true });
		expect(getNodeType(NODE).methods?.listSearch).toHaveProperty(searchListMethod);
	},
);

test('Only Operation, Filters, Options and the name of an asset are declared more than once', () => {
	const names = namesOf(getProperties());
	const repeated = names.filter((name, index) => names.indexOf(name) !== index);
	expect([...new Set(repeated)].sort()).toStrictEqual(['filters', 'name', 'operation', 'options']);
});

test('The provider key is masked, and long texts have large fields', () => {
	const typeOptions = (name: string) =>
		getProperties().find((property) => property.name === name)?.typeOptions;
	expect(typeOptions('encryptedKey')).toStrictEqual({ password: true });
	expect(typeOptions('script')?.rows).toBeGreaterThan(1);
});

test('The credential has a Base URL without a default and a masked key', () => {
	const { name, displayName, properties } = new AvatarStudioApi();
	expect({ name, displayName }).toStrictEqual({
		name: 'avatarStudioApi',
		displayName: 'Avatar Studio API',
	});
	expect(properties).toStrictEqual([
		expect.objectContaining({
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
		}),
		expect.objectContaining({
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			required: true,
			default: '',
			typeOptions: { password: true },
		}),
		expect.objectContaining({
			name: 'allowedHttpRequestDomains',
			type: 'hidden',
			default: 'all',
		}),
	]);
});
