import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

import { quote } from '../errors/formatText';
import { UserError } from '../errors/userError';
import type { Field } from '../execution/field';
import { assertNoExpression } from '../execution/parameters';
import {
	buildChoice,
	addHiddenCopies,
	setNamesakes,
	toHiddenCopy,
	toProperty,
} from '../resources/properties';
import { toText } from '../resources/texts';

import { assetCreated } from './assetCreated';
import type { TriggerEvent } from './event';
import { voiceAdded } from './voiceAdded';

/** All it takes to add an event is its file and an entry here, in the order the editor lists them. */
export const EVENTS: TriggerEvent[] = [assetCreated, voiceAdded];

/** Completes "… starts a workflow when …" in the trigger's description. */
export const occurrences = EVENTS.map(({ occurrence }) => occurrence).join(' or ');

/** An expression for the text under the node on the canvas, such as "New asset". */
export const subtitle = buildSubtitle();

/** What models read before they write a workflow: each event's value, and the fields that it has. */
export const eventHint = EVENTS.map(
	({ value, fields }) => `event "${value}" has ${fields.flatMap(listPaths).join(', ')}`,
).join('; ');

/**
 * Builds the properties of the trigger: Trigger On, then the fields of each event, then hidden properties
 * that keep values which n8n would drop.
 */
export function buildTriggerProperties(): INodeProperties[] {
	const choices = EVENTS.map(({ name, value, occurrence }) => ({
		option: { name, value, description: `Triggers when ${occurrence}` },
	}));
	// Entries of another event's collection of the same name are ignored (collection.ts).
	setNamesakes(EVENTS.flatMap(({ fields }) => fields));
	const fields = EVENTS.flatMap((event) =>
		event.fields.map((field) => toProperty(field, { event: [event.value] })),
	);
	return [
		buildChoice('Trigger On', 'event', choices),
		...addHiddenCopies(fields),
		...buildFieldsForLabels(),
	];
}

/**
 * n8n drops the values of fields that are not shown, before this node runs. A workflow whose event is
 * the label "New Asset" instead of `assetCreated` would lose its filters, so hidden fields of the same
 * names keep the values.
 */
function buildFieldsForLabels(): INodeProperties[] {
	const displayOptions = { hide: { event: EVENTS.map(({ value }) => value) } };
	const fields = EVENTS.flatMap((event) => event.fields);
	const byName = new Map(fields.map((field) => [field.name, field]));
	return [...byName.values()].map((field) => toHiddenCopy(field, displayOptions));
}

function buildSubtitle(): string {
	const texts = EVENTS.map(({ name, value }) => [value, name[0] + name.slice(1).toLowerCase()]);
	const textByEvent = JSON.stringify(Object.fromEntries(texts));
	return `={{ (${textByEvent})[$parameter["event"]] ?? $parameter["event"] }}`;
}

function listPaths({ name, options }: Field): string[] {
	return options ? options.map((entry) => `${name}.${entry.name}`) : [name];
}

/**
 * Finds the event that the workflow names, by its value or its label in any case: n8n checks neither.
 *
 * @throws UserError for an expression, or naming the events that exist
 */
export function findEvent(context: IPollFunctions): TriggerEvent {
	const given = toText(context.getNodeParameter('event'));
	const wanted = given.trim().toLowerCase();
	const event = EVENTS.find(({ name, value }) =>
		[name, value].some((text) => text.toLowerCase() === wanted),
	);
	if (event) return event;
	assertNoExpression('Trigger On', given);
	const listed = EVENTS.map(({ name, value }) => `${value} (${name})`).join(', ');
	throw new UserError(`Trigger On does not know the event ${quote(given)}`, `There is ${listed}.`);
}
