import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { listWithEntries } from '../execution/collection';
import type { Field, LoadChoices } from '../execution/field';

import { fetchForEditor, toEntries } from './pickers';

type OptionLoader = (this: ILoadOptionsFunctions) => Promise<INodePropertyOptions[]>;

/** Builds a node's option loaders from its fields, by the names that these have for them. */
export function buildOptionLoaders(fields: Field[]): Record<string, OptionLoader> {
	const loaders = listWithEntries(fields).flatMap(({ loadChoices, typeOptions }) => {
		const name = typeOptions?.loadOptionsMethod;
		return name && loadChoices ? [[name, buildOptionLoader(loadChoices)] as const] : [];
	});
	return Object.fromEntries(loaders);
}

/** Builds what lists the choices by name, after "Any", which is what a filter holds when it is added. */
function buildOptionLoader(loadChoices: LoadChoices): OptionLoader {
	return async function () {
		const options = toEntries(await fetchForEditor(this, loadChoices));
		options.sort((one, other) => one.name.localeCompare(other.name));
		return [{ name: 'Any', value: '' }, ...options];
	};
}
