import type {
	IDataObject,
	IHttpRequestMethods,
	INodePropertyOptions,
	INodePropertyRouting,
} from 'n8n-workflow';

import type { Entries } from '../execution/collection';
import type { Field } from '../execution/field';
import { buildItemExecutor, type OperationRules } from '../execution/itemExecutor';

import { buildOptions, dryRun } from './sharedFields';

interface OperationDefinition extends OperationRules {
	/** Title Case without the resource. */
	name: string;
	/** Saved workflows hold it, so it never changes. */
	value: string;
	/** Sentence case with the resource. */
	action: string;
	description: string;
	/** Method and path, with the names of fields in braces, such as `GET /v1/assets/{assetId}`. */
	route: string;
	headers?: IDataObject;
}

export interface Operation {
	option: INodePropertyOptions;
	fields: Field[];
	/** @param entries those of the collections of the whole node */
	buildRouting: (entries: Entries) => INodePropertyRouting;
}

/** A resource with its operations in the order of the editor, which selects the first. */
export interface Resource {
	/** Saved workflows hold its value, which never changes. */
	option: INodePropertyOptions;
	operations: Operation[];
}

/** @returns the fields of all operations; one that several operations list comes once for each */
export function listFields(resources: Resource[]): Field[] {
	return resources.flatMap(({ operations }) => operations.flatMap(({ fields }) => fields));
}

/**
 * Every operation reads the resource, to refuse an expression: with one, n8n merges the routes of all
 * resources that have the operation (findings/unknown-operation-is-a-get).
 */
export const resourceChoice: Field = {
	displayName: 'Resource',
	name: 'resource',
	type: 'string',
	default: '',
	isLocal: true,
	noDataExpression: true,
};

/**
 * Declares an operation. Unless it has an `execute` of its own, it sends one request and returns the
 * record of a GET, or what the service responds, in any shape. Fields named in braces go into the path,
 * the others into the query of a GET or the JSON body, under their names. An operation other than a GET that
 * has no options gets them, with Dry Run.
 *
 * n8n's declarative routing engine runs the route, with the item executor in place of a pagination
 * function: the one hook that wraps every request of an item.
 */
export function operation(definition: OperationDefinition): Operation {
	const { name, value, action, description, route, headers, ...rules } = definition;
	const [method, url] = route.split(' ');
	const fields = method === 'GET' ? definition.fields : addDryRun(definition.fields);
	// A POST must not be sent twice, even if the definition does not say what it creates.
	const createdName = rules.createdName ?? (method === 'POST' ? 'The result' : undefined);
	const complete = { ...rules, createdName, fields: [resourceChoice, ...fields] };
	return {
		option: { name, value, action, description },
		fields,
		buildRouting: (entries) => ({
			request: { method: method as IHttpRequestMethods, url, headers },
			send: { paginate: true },
			operations: { pagination: buildItemExecutor({ ...complete, entries }) },
		}),
	};
}

const dryRunOptions = buildOptions([dryRun]);

function addDryRun(fields: Field[]): Field[] {
	const hasOptions = fields.some(({ name }) => name === dryRunOptions.name);
	return hasOptions ? fields : [...fields, dryRunOptions];
}
