import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import type { Field } from '../../nodes/AvatarStudio/execution/field';
import { resources as declaredResources } from '../../nodes/AvatarStudio/resources';

import { NODE } from './engine/parts';

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
	/** The same as its resource declares them, with what n8n's description has no place for. */
	declared: Field[];
	nodeType: string;
	/** Resource, operation and every required field, filled in from its placeholder. */
	parameters: INodeParameters;
}

/** The options of a field; empty if it has none. */
export function getOptions({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return ['options', 'multiOptions'].includes(type) ? (options as INodePropertyOptions[]) : [];
}

export function getNestedProperties({ type, options = [] }: INodeProperties): INodeProperties[] {
	return type === 'collection' ? (options as INodeProperties[]) : [];
}

const visible = new AvatarStudio().description.properties.filter(({ type }) => type !== 'hidden');
const [resourceField, ...properties] = visible;

export const resources = getOptions(resourceField!);

/** Every operation of the node in the order of the editor, for tests that cover all of them. */
export const operations = resources.flatMap((resource) =>
	findShown({ resource: resource.value })
		.filter(({ name }) => name === 'operation')
		.flatMap(getOptions)
		.map((operation): DescribedOperation => describeOperation(resource, operation)),
);

function describeOperation(resource: INodePropertyOptions, operation: INodePropertyOptions) {
	const selection = { resource: resource.value, operation: operation.value };
	const { method, url } = operation.routing!.request!;
	const fields = findShown(selection);
	const required = fields.filter((field) => field.required);
	const values = Object.fromEntries(required.map((field) => [field.name, fillIn(field)]));
	return {
		label: `${resource.name}: ${operation.name}`,
		resource,
		operation,
		route: `${method} ${url}`,
		fields,
		declared: findDeclaredFields(selection),
		nodeType: NODE,
		parameters: { ...selection, ...values },
	};
}

function findDeclaredFields(selection: Record<'resource' | 'operation', unknown>): Field[] {
	const isSelected = ({ option }: { option: INodePropertyOptions }) =>
		Object.values(selection).includes(option.value);
	return declaredResources.find(isSelected)!.operations.find(isSelected)!.fields;
}

/** Finds the fields that the editor shows for a selection, under some condition or none. */
function findShown(selection: Record<string, INodePropertyOptions['value']>): INodeProperties[] {
	const selected = Object.entries(selection);
	return properties.filter(({ displayOptions: { show = {} } = {} }) =>
		selected.every(([name, value]) => show[name]?.includes(value)),
	);
}

function fillIn({ type, modes, placeholder, default: value }: INodeProperties) {
	const byId = modes?.find(({ name }) => name === 'id');
	if (type === 'resourceLocator') {
		return { __rl: true, mode: 'id', value: getExample(byId?.placeholder) };
	}
	return value === '' ? getExample(placeholder) : value;
}

/** The example in a placeholder: empty if there is none. */
export function getExample(placeholder = ''): string {
	return placeholder.replace(/^e\.g\. /, '');
}

/** Operations as a table for `describe.each` and `it.each`, by label. */
export function byLabel(selected = operations): [string, DescribedOperation][] {
	return selected.map((operation) => [operation.label, operation]);
}

export type Value = INodeParameters[string];
/** The fields of an operation or event, and parameters that it runs with. */
export type Described = Pick<DescribedOperation, 'fields' | 'declared' | 'nodeType' | 'parameters'>;

/** A place for a value, such as "assetId in mode id" or "options.dryRun". */
export interface Place {
	place: string;
	field: INodeProperties;
	/** The same as its operation declares it, with what an entry has from its collection. */
	declared: Field;
	mode?: string;
	parameters: INodeParameters;
}

/** Lists every place for a value, with the parameters that hold the value there. */
export function listPlaces({ fields, declared, parameters }: Described, value: Value): Place[] {
	const places = fields.filter(({ type }) => type !== 'notice');
	return places.flatMap((field) => {
		const { name } = field;
		const whole = declared.find((it) => it.name === name)!;
		const { isLocal, failsIfExpressionIsEmpty, options = [] } = whole;
		const set = (given: Value) => ({ ...parameters, ...showField(field), [name]: given });
		const entries = getNestedProperties(field).flatMap((entry, index) => {
			const own = { isLocal, failsIfExpressionIsEmpty, ...(options as Field[])[index]! };
			const place = { place: `${name}.${entry.name}`, field: entry, declared: own };
			return listForms(place, value, (given) => set({ ...showField(entry), [entry.name]: given }));
		});
		return [...listForms({ place: name, field, declared: whole }, value, set), ...entries];
	});
}

/** Lists a place for a value as it is, and for one in each mode that the field has. */
function listForms(
	place: Omit<Place, 'parameters'>,
	value: Value,
	set: (given: Value) => INodeParameters,
): Place[] {
	const modes = (place.field.modes ?? []).map(({ name: mode }) => {
		const parameters = set({ __rl: true, mode, value });
		return { ...place, place: `${place.place} in mode ${mode}`, mode, parameters };
	});
	return [{ ...place, parameters: set(value) }, ...modes];
}

/** The values of other fields with which the editor shows one. */
function showField({ displayOptions }: INodeProperties): INodeParameters {
	const conditions = Object.entries(displayOptions?.show ?? {})
		.filter(([name]) => name !== 'resource' && name !== 'operation')
		.map(([name, values]) => [name, values?.[0]]);
	return Object.fromEntries(conditions) as INodeParameters;
}
