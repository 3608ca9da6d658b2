import type { Field } from '../../nodes/AvatarStudio/execution/parameters';
import { asset } from '../../nodes/AvatarStudio/resources/asset';
import { speech } from '../../nodes/AvatarStudio/resources/speech';
import { video } from '../../nodes/AvatarStudio/resources/video';
import { voice } from '../../nodes/AvatarStudio/resources/voice';
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

const routes = [video, speech, voice, asset].flatMap(({ option: resource, operations }) =>
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
	expect(routes.map(({ label }) => label)).toEqual(described.map(({ label }) => label));
});
