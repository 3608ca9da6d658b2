import type { INodeProperties } from 'n8n-workflow';

import { events } from '../support/events';
import { getNestedProperties, operations } from '../support/operations';

// The node knows a value by the name of its field alone (`Parameters` in execution/parameters.ts), so a
// value in one place would take that of a field with the same name in another.

/** @returns "x: filters.x, options.x" for each name that fields in several places have */
function findClashes(fields: INodeProperties[]): string[] {
	const places = fields.flatMap((field) => [
		[field.name, field.name] as const,
		...getNestedProperties(field).map(
			(entry) => [entry.name, `${field.name}.${entry.name}`] as const,
		),
	]);
	const placesByName = new Map<string, Set<string>>();
	for (const [name, place] of places) {
		placesByName.set(name, new Set([...(placesByName.get(name) ?? []), place]));
	}
	const shared = [...placesByName].filter(([, found]) => found.size > 1);
	return shared.map(([name, found]) => `${name}: ${[...found].join(', ')}`);
}

test.each([...operations, ...events])(
	'A value that I set in $label is not taken for another',
	({ fields }) => {
		expect(findClashes(fields)).toEqual([]);
	},
);

test('Fields in two places that have one name are found', () => {
	const x: INodeProperties = { displayName: 'X', name: 'x', type: 'string', default: '' };
	const collect = (name: string) => ({ ...x, name, type: 'collection' as const, options: [x] });
	expect(findClashes([x, x, collect('filters')])).toEqual(['x: x, filters.x']);
	expect(findClashes([collect('filters'), collect('options')])).toEqual([
		'x: filters.x, options.x',
	]);
	expect(findClashes([x, x])).toEqual([]);
});
