import type { INodePropertyOptions, INodePropertyRouting } from 'n8n-workflow';

import { quote } from '../errors/formatText';
import { UserError } from '../errors/userError';
import type { Field } from '../execution/field';
import { buildItemExecutor } from '../execution/itemExecutor';

import { resourceChoice, type Resource } from './operation';
import { toText } from './texts';

const operationChoice: Field = { ...resourceChoice, displayName: 'Operation', name: 'operation' };

/**
 * Builds the routing of the Resource field, which the option of an operation replaces (n8n-core
 * 2.41.1, routing-node.js). Where no option does, n8n would send a GET to the Base URL for an operation that
 * does not exist, and return whatever is there (findings/unknown-operation-is-a-get).
 */
export function buildRefusalRouting(resources: Resource[]): INodePropertyRouting {
	const pagination = buildItemExecutor({
		fields: [resourceChoice, operationChoice],
		prepare: ({ client }) => {
			const { resource: name, operation } = client.context.getNode().parameters;
			const resource = resources.find(({ option }) => option.value === name);
			// n8n drops the operation of a resource that does not exist
			// (findings/undeclared-parameters-are-dropped).
			if (!resource) throw createRefusal('Resource', name, '', resources);
			throw createRefusal('Operation', operation, ` of ${name as string}`, resource.operations);
		},
	});
	return { send: { paginate: true }, operations: { pagination } };
}

function createRefusal(
	label: string,
	given: unknown,
	place: string,
	choices: { option: INodePropertyOptions }[],
): UserError {
	const values = choices.map(({ option }) => String(option.value));
	const text = toText(given);
	const trimmed = text.trim();
	if (values.includes(trimmed)) {
		const summary = `${label} ${quote(text)}${place} has blanks around it`;
		return new UserError(summary, `Write it as ${trimmed}: n8n drops the fields of anything else.`);
	}
	const problem = trimmed === '' ? `${place} is empty` : ` ${quote(text)}${place} does not exist`;
	return new UserError(`${label}${problem}`, `There is ${values.join(', ')}.`);
}
