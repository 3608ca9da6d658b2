import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Field } from '../../nodes/AvatarStudio/execution/parameters';
import type { Resource } from '../../nodes/AvatarStudio/resources/operation';
import { findInputs } from '../../service/contract';
import { operations as described } from '../support/operations';

/** The types in `openapi.yaml` that a type of field sends. */
const TYPES: Record<string, string[]> = {
	string: ['string'],
	options: ['string'],
	resourceLocator: ['string'],
	number: ['integer', 'number'],
	boolean: ['boolean'],
};

/** The fields whose values are sent under their names; the entries of a collection count as fields. */
function findSent(fields: Field[]): Field[] {
	return fields.flatMap((field) => {
		if (field.isLocal || field.type === 'notice' || field.type === 'json') return [];
		return field.type === 'collection' ? findSent(field.options as Field[]) : [field];
	});
}

const FOLDER = join(__dirname, '../../nodes/AvatarStudio/resources');
const resources = readdirSync(FOLDER, { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.flatMap(({ name }) =>
		Object.values(jest.requireActual<Record<string, Resource>>(join(FOLDER, name))),
	);

const routes = resources.flatMap(({ option: resource, operations }) =>
	operations.map(({ option: { name, routing }, fields }) => {
		const { method, url } = routing!.request!;
		const inPath = findSent(fields).filter((field) => url!.includes(`{${field.name}}`));
		return {
			label: `${resource.name}: ${name}`,
			route: `${method} ${url}`,
			sent: findSent(fields).filter((field) => !inPath.includes(field)),
		};
	}),
);

test.each(routes)('Every field that $label sends is one of the API', ({ route, sent }) => {
	const inputs = findInputs(route);
	expect(inputs ? [] : [`openapi.yaml has no ${route}`]).toEqual([]);
	const wrong = sent.flatMap(({ name, type }) => {
		const expected = inputs![name];
		if (!expected) return [`\`${name}\` is not in openapi.yaml under ${route}`];
		return TYPES[type]?.includes(expected)
			? []
			: [`\`${name}\` is ${expected} in openapi.yaml, not ${type}`];
	});
	expect(wrong).toEqual([]);
});

test('No operation of the node is left out', () => {
	const labels = routes.map(({ label }) => label);
	expect(labels.sort()).toEqual(described.map(({ label }) => label).sort());
});
