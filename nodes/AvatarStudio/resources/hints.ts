import { listEntries } from '../execution/collection';
import type { Field } from '../execution/field';

import { listFields, type Resource } from './operation';

// What models read before they write a workflow, besides the texts of fields.

export const collectionHint =
	'What belongs into a collection is refused beside it: filters.nameContains, not nameContains.';

/** What holds for an entry that is not in its collection. */
export const ifNotAddedHint =
	'What is not added to its collection: a field is not sent, a filter selects everything, an option that is a boolean is false, and any other option has its default.';

/**
 * Lists an example of each resource locator: `voiceId { "__rl": true, "mode": "name", "value": "Ryan" }`.
 */
export function describeLocators(resources: Resource[]): string {
	const examples = listFields(resources).flatMap((field) => [
		...describeLocator(field.name, field),
		...listEntries(field).flatMap((entry) => describeLocator(`${field.name}.${entry.name}`, entry)),
	]);
	return [...new Set(examples)].join(', ');
}

function describeLocator(path: string, { modes = [] }: Field): string[] {
	const byName = modes.find(({ name }) => name === 'name');
	const value = byName?.placeholder?.replace(/^e\.g\. /, '');
	return value ? [`${path} ${JSON.stringify({ __rl: true, mode: 'name', value })}`] : [];
}
