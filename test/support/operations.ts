import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';

import type { Output, RunOptions } from './engine/engine';
import { storeFile } from './files';
import { getNestedProperties, getOptions } from './properties';
import type { Studio } from './studio';

/** An operation as the node's description declares it. */
export interface DescribedOperation {
	/** Such as "Asset: Get Many". */
	label: string;
	resource: INodePropertyOptions;
	operation: INodePropertyOptions;
	/** Such as `GET /v1/assets/{assetId}`. */
	route: string;
	/** Its fields, notices included. */
	fields: INodeProperties[];
	/** Resource, operation and every required field, filled in from its placeholder. */
	parameters: INodeParameters;
}

const [resourceField, ...properties] = new AvatarStudio().description.properties;

export const resources: INodePropertyOptions[] = getOptions(resourceField!);

/** Every operation of the node in the order of the editor, for tests that cover all of them. */
export const operations: DescribedOperation[] = resources.flatMap((resource) =>
	properties
		.filter(({ name }) => name === 'operation')
		.filter((property) => isShownFor(property, { resource: resource.value }))
		.flatMap(getOptions)
		.map((operation) => describeOperation(resource, operation)),
);

/** Operations as a table for `describe.each` and `it.each`, by label. */
export function byLabel(selected = operations): [string, DescribedOperation][] {
	return selected.map((operation) => [operation.label, operation]);
}

/** Runs an operation on one item, which has a file for operations that take one. */
export async function runOperation(
	studio: Studio,
	{ parameters }: DescribedOperation,
	options: Partial<RunOptions> = {},
): Promise<Output> {
	const data = await storeFile(Buffer.from('file'), { mimeType: 'image/png' });
	return await studio.run(parameters, {
		items: [{ json: {}, binary: { data } }],
		...options,
	});
}

/** A place of an operation's parameters where a value may be. */
interface Place {
	/** Such as "assetId in mode id" or "options.dryRun". */
	place: string;
	field: INodeProperties;
	/** The parameters of the operation with the value there. */
	parameters: INodeParameters;
}

/** Lists every place for a value; what it takes for the value to matter is set. */
export function listPlaces(
	{ fields, parameters }: DescribedOperation,
	value: INodeParameters[string],
): Place[] {
	return fields
		.filter(({ type }) => type !== 'notice')
		.flatMap((field): Place[] => {
			const { name, modes = [] } = field;
			const nested = getNestedProperties(field);
			const wantsFile = nested.some((entry) => entry.name === 'downloadFile');
			const set = (more: INodeParameters) => ({ ...parameters, ...showField(field), ...more });
			return [
				{ place: name, field, parameters: set({ [name]: value }) },
				...modes.map(({ name: mode }) => ({
					place: `${name} in mode ${mode}`,
					field,
					parameters: set({ [name]: { __rl: true, mode, value } }),
				})),
				...nested.map((entry) => ({
					place: `${name}.${entry.name}`,
					field: entry,
					parameters: set({
						[name]: {
							...(wantsFile && { downloadFile: true }),
							...showField(entry),
							[entry.name]: value,
						},
					}),
				})),
			];
		});
}

/** The values of other fields with which the editor shows one. */
function showField({ displayOptions }: INodeProperties): INodeParameters {
	const conditions = Object.entries(displayOptions?.show ?? {})
		.filter(([name]) => name !== 'resource' && name !== 'operation')
		.map(([name, values]) => [name, values?.[0]]);
	return Object.fromEntries(conditions) as INodeParameters;
}

function describeOperation(
	resource: INodePropertyOptions,
	operation: INodePropertyOptions,
): DescribedOperation {
	const selection = { resource: resource.value, operation: operation.value };
	const fields = properties.filter((property) => isShownFor(property, selection));
	const { method, url } = operation.routing?.request ?? {};
	return {
		label: `${resource.name}: ${operation.name}`,
		resource,
		operation,
		route: `${method} ${url}`,
		fields,
		parameters: {
			...selection,
			...Object.fromEntries(
				fields.filter(({ required }) => required).map((field) => [field.name, fillIn(field)]),
			),
		},
	};
}

function isShownFor(
	{ displayOptions }: INodeProperties,
	parameters: Record<string, unknown>,
): boolean {
	return Object.entries(parameters).every(
		([name, value]) => displayOptions?.show?.[name]?.includes(value as string) ?? false,
	);
}

function fillIn(field: INodeProperties): INodeParameters[string] {
	if (field.type === 'resourceLocator') {
		const byId = field.modes?.find(({ name }) => name === 'id');
		return { __rl: true, mode: 'id', value: getExample(byId?.placeholder) };
	}
	return field.default === '' ? getExample(field.placeholder) : field.default;
}

function getExample(placeholder = ''): string {
	return placeholder.replace(/^e\.g\. /, '');
}
