import type { INodeParameters, INodeProperties, INodePropertyMode } from 'n8n-workflow';

import { loadOptions, searchList } from './engine/engine';
import type { Credentials } from './engine/parts';
import { getExample, getNestedProperties, getOptions, listPlaces } from './operations';
import type { Described, Value } from './operations';

/** A valid value of a field, or how to get one from the service. */
type Source = Value | ((credentials: Credentials) => Promise<Value>);

/** An operation or event with one of its fields filled in. */
interface Choice {
	/** Such as `filters.kinds = ["image"]`. */
	name: string;
	getParameters: (credentials: Credentials) => Promise<INodeParameters>;
}

/**
 * Lists an operation or event with its required fields alone, and with each of its fields, once for
 * every option, mode and value of a boolean that its description has. Other values are the examples
 * and defaults of the description.
 */
export function listChoices(described: Described): Choice[] {
	const getRequired = async () => await Promise.resolve(described.parameters);
	const choices = listPlaces(described, '').flatMap(({ place, field }, index) =>
		listSources(described.nodeType, field, place).map((source) => {
			const value = typeof source === 'function' ? 'an entry of its list' : JSON.stringify(source);
			return {
				name: `${place} = ${value}`,
				getParameters: async (credentials: Credentials) => {
					const given = typeof source === 'function' ? await source(credentials) : source;
					const { parameters } = listPlaces(described, given)[index]!;
					return fillInDependents(described, parameters, field, given);
				},
			};
		}),
	);
	return [{ name: 'its required fields', getParameters: getRequired }, ...choices];
}

function listSources(nodeType: string, field: INodeProperties, place: string): Source[] {
	const { type, default: preset, placeholder, typeOptions = {} } = field;
	const options = getOptions(field).map(({ value }) => value as string);
	switch (type) {
		case 'collection':
			// Each entry is a place of its own.
			return [];
		case 'resourceLocator': {
			const mode = field.modes!.find(({ name }) => place.endsWith(` in mode ${name}`));
			return mode ? [getModeSource(nodeType, mode)] : [];
		}
		case 'boolean':
			return [true, false];
		case 'number':
			return [...new Set([typeOptions.minValue ?? 0, preset as number])];
		case 'multiOptions':
			return options.map((value) => [value]);
		case 'options': {
			const { loadOptionsMethod: method } = typeOptions;
			const loadLast = async (credentials: Credentials) =>
				(await loadOptions(method!, credentials, nodeType)).at(-1)!.value as string;
			return method ? [loadLast] : options;
		}
		case 'json':
			// What a contributor's JSON may hold is up to the service, so this holds nothing.
			return ['{}'];
		default:
			return [getExample(placeholder), preset as string, 'text'].filter(Boolean).slice(0, 1);
	}
}

function getModeSource(nodeType: string, { placeholder, typeOptions }: INodePropertyMode): Source {
	const method = typeOptions?.searchListMethod;
	if (!method) return getExample(placeholder);
	return async (credentials) =>
		(await searchList(method, credentials, { nodeType })).results[0]!.value;
}

/** Fills in what the editor shows, and the node needs, with a choice: Custom Type with Custom. */
function fillInDependents(
	{ fields }: Described,
	parameters: INodeParameters,
	{ name, type }: INodeProperties,
	value: Value,
): INodeParameters {
	const getDependents = (beside: INodeProperties[]): INodeParameters => {
		const dependents = beside.filter(({ displayOptions }) =>
			displayOptions?.show?.[name]?.includes(value as string),
		);
		const examples = dependents.map((field) => [field.name, getExample(field.placeholder)]);
		return type === 'options' ? (Object.fromEntries(examples) as INodeParameters) : {};
	};
	const filled = { ...getDependents(fields), ...parameters };
	for (const collection of fields) {
		const entries = filled[collection.name];
		if (collection.type !== 'collection' || entries === undefined) continue;
		const dependents = getDependents(getNestedProperties(collection));
		filled[collection.name] = { ...dependents, ...(entries as INodeParameters) };
	}
	return filled;
}
