import type { INodeExecutionData } from 'n8n-workflow';

import { listFirst, shorten } from '../errors/formatText';
import { removeRepeatAdvice } from '../errors/repeatAdvice';
import type { Outcome, UserError } from '../errors/userError';

import type { ItemState } from './nodeRun';

/** How many things the error of a stopped run names: each may have cost money. */
const MAX_IDS = 50;
const LOOK_FIRST = 'Look in the studio application before you run this item again.';

/**
 * Adds to the error of a creation what is known of its effect (see the table at `Outcome`):
 * - If it is unknown: that it may exist.
 * - If the request that failed was done: that it was created. The same if n8n fails unexpectedly, or
 *   this node has a defect, after an earlier request was done.
 * - If only earlier requests of the item were done, nothing is added: only Upload makes several, and it has
 *   named what the earlier ones created. But advice to repeat is removed.
 *
 * @param createdName such as "The video"
 * @param outcome of all requests of the item
 */
export function addOutcome(error: UserError, createdName: string, outcome: Outcome): UserError {
	if (outcome === 'unknown') return lookFirst(error, `${createdName} may exist anyway. `);
	const isUnexpected = outcome === 'done' && error.details.code === 'unexpected';
	if (error.details.outcome === 'done' || isUnexpected) return addCreated(error, createdName);
	if (outcome === 'done') return error.with({ hint: removeRepeatAdvice(error.hint) });
	return error;
}

/** @param created the items of the response, if they are known */
export function addCreated(
	error: UserError,
	createdName: string,
	created: INodeExecutionData[] = [],
): UserError {
	const which = created.length === 0 ? '' : ` (${listFirst(created, describeCreated)})`;
	const summary = `${createdName} was created${which}, but this failed: ${error.summary}`;
	return lookFirst(error).with({ summary, outcome: 'done' });
}

/** Describes what was created by its ID, or by the whole response if that has no field of this name. */
function describeCreated({ json }: INodeExecutionData): string {
	const { id } = json;
	const hasId = typeof id === 'string' || typeof id === 'number';
	return hasId ? `ID ${shorten(String(id))}` : `response ${shorten(JSON.stringify(json), 300)}`;
}

/** Advises to look for what was created, and removes advice to repeat, which would contradict that. */
function lookFirst(error: UserError, fact = ''): UserError {
	const hint = `${fact}${LOOK_FIRST} ${removeRepeatAdvice(error.hint)}`;
	return error.with({ hint: hint.trim() });
}

/**
 * Adds to the error that stops a run what its other items created, because such a run has no output.
 *
 * @param others the states of all items but the one that failed
 */
export function addOtherItems(error: UserError, others: ItemState[]): UserError {
	const created = others.filter(({ outcome }) => outcome === 'done');
	const unknown = others.filter(({ outcome }) => outcome === 'unknown').length;
	if (created.length + unknown === 0) return error;
	// An item may have created several things, such as the assets of its files.
	const facts = `Other items of this run: ${created.length} created something, ${unknown} may have`;
	const ids = created.flatMap((state) => state.created ?? []).map(describeCreated);
	const more = ids.length > MAX_IDS ? `, and ${ids.length - MAX_IDS} more` : '';
	const which = ids.length > 0 ? `They created ${ids.slice(0, MAX_IDS).join(', ')}${more}.` : '';
	const hint = `${removeRepeatAdvice(error.hint)} ${facts}. Look in the studio application. To get the result of each item, set On Error to Continue, in the Settings tab. ${which}`;
	return error.with({ hint: hint.trim() });
}
