import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

import { quote, shorten } from '../errors/formatText';
import { UserError } from '../errors/userError';
import { collectEntries } from '../execution/collection';
import type { Field } from '../execution/field';
import { assertNoExpression } from '../execution/unevaluated';
import {
	buildChoice,
	buildStrayEntries,
	toHiddenCopy,
	toProperty,
	toStrayProperty,
} from '../resources/properties';
import { toText } from '../resources/texts';

import { assetCreated } from './assetCreated';
import type { TriggerEvent } from './event';
import { voiceAdded } from './voiceAdded';

/** An event takes its file and an entry here, in the order of the editor. */
export const EVENTS: TriggerEvent[] = [assetCreated, voiceAdded];

/** Completes "… starts a workflow when …" in the trigger's description. */
export const occurrences = EVENTS.map(({ occurrence }) => occurrence).join(' or ');

/** An expression for the text under the node on the canvas, such as "New asset". */
export const subtitle = buildSubtitle();

/** What models read before they write a workflow: each event's value, and the fields that it has. */
export const eventHint = EVENTS.map(
	({ value, fields }) =>
		`event "${value}" has ${fields.flatMap(listPaths).join(', ') || 'no fields'}`,
).join('; ');

/** Those of all events. */
export const FIELDS = EVENTS.flatMap(({ fields }) => fields);

/** Those of the collections of all events: an event ignores what only another one has. */
export const ENTRIES = collectEntries(FIELDS);

/** What models take for the name of Trigger On. */
const MISNOMERS = ['events', 'triggerOn', 'resource'];

/**
 * Builds the properties of the trigger: Trigger On, then the fields of each event, then hidden properties
 * that keep values which n8n would drop.
 */
export function buildTriggerProperties(): INodeProperties[] {
	const choices = EVENTS.map(({ name, value, occurrence }) => ({
		option: { name, value, description: `Triggers when ${occurrence}` },
	}));
	const fields = EVENTS.flatMap((event) =>
		event.fields.map((field) => toProperty(field, { event: [event.value] })),
	);
	return [
		buildChoice('Trigger On', 'event', choices),
		...fields,
		...buildFieldsForLabels(),
		...buildStrayEntries(ENTRIES),
		...MISNOMERS.map(toStrayProperty),
	];
}

/**
 * n8n drops the values of fields that are not shown, before this node runs
 * (findings/undeclared-parameters-are-dropped). A workflow whose event is
 * the label "New Asset" instead of `assetCreated` would lose its filters, so a hidden copy of each field
 * keeps the value.
 */
function buildFieldsForLabels(): INodeProperties[] {
	const byName = new Map(FIELDS.map((field) => [field.name, field]));
	return [...byName.values()].map(toHiddenCopy);
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
 * Finds the event that the workflow names, by its value or its label in any case: n8n checks neither
 * (n8n-workflow 2.41.0, node-helpers.js).
 *
 * @throws UserError for an expression, or naming the events that exist
 */
export function findEvent(context: IPollFunctions): TriggerEvent {
	const listed = `There is ${EVENTS.map(({ name, value }) => `${value} (${name})`).join(', ')}.`;
	const held = context.getNode().parameters;
	const misnomer = MISNOMERS.find((name) => (held[name] ?? '') !== '');
	if (misnomer !== undefined) {
		const summary = `${quote(misnomer)} is no field of the trigger, so n8n ignores it`;
		throw new UserError(summary, `Write the event as event. ${listed}`);
	}
	const given = context.getNodeParameter('event');
	const wanted = toText(given).trim().toLowerCase();
	const event = EVENTS.find(({ name, value }) =>
		[name, value].some((text) => text.toLowerCase() === wanted),
	);
	if (event) return event;
	assertNoExpression('Trigger On', given);
	const shown = typeof given === 'string' ? quote(given) : shorten(JSON.stringify(given));
	throw new UserError(`Trigger On does not know the event ${shown}`, listed);
}
