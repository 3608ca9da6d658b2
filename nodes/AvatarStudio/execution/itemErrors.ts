import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { formatMessage } from '../errors/nodeError';
import { CHECK_BASE_URL } from '../errors/statusError';
import type { Outcome, UserError } from '../errors/userError';

import { listLabels, type Field } from './parameters';

/** What messages call what an operation creates, and where to look for it. */
export interface CreationTexts {
	/** "The video" */
	subject: string;
	/** "in the studio application" */
	lookFor: string;
}

/**
 * Replaces the general hint for a rejected request by what to check of its fields, unless the service
 * explains it. If the service names a value, that is the one.
 *
 * @param route the declared path: a 404 means the ID in it, if it has one
 */
export function describeRejection(
	error: UserError,
	fields: Field[],
	parameters: IDataObject,
	route: string,
): UserError {
	const { serviceMessage = '', status = 0 } = error.details;
	if (![400, 404, 422].includes(status)) return error;
	const given = fields.filter(({ name }) => parameters[name] !== undefined);
	const checked = given.filter(({ unknownValueHint }) => unknownValueHint);
	const named = checked.find(({ name }) => serviceMessage.includes(parameters[name] as string));
	if (named) return error.with({ hint: named.unknownValueHint });
	const hints = checked.map(({ unknownValueHint }) => unknownValueHint);
	if (status === 404) {
		if (route.includes('{') || hints.length === 0) return error;
		const summary = 'The service did not find something this request names';
		return error.with({ summary, hint: [...hints, CHECK_BASE_URL].join(' ') });
	}
	const sent = given.filter(({ isLocal }) => !isLocal);
	if (sent.length === 0 || serviceMessage !== '') return error;
	return error.with({ hint: [`Check ${listLabels(sent)}.`, ...hints].join(' ') });
}

/** @param isFinal whether it was decided not to send the request again */
export function addMayExist(
	error: UserError,
	{ subject, lookFor }: CreationTexts,
	isFinal = false,
): UserError {
	const consequence = isFinal ? ', so the request was not sent again' : '';
	// To try again later, as its hint says, would contradict this one.
	const rest = error.code === 'unavailable' ? '' : error.hint;
	return error.with({
		hint: `${subject} may exist anyway${consequence}. Look ${lookFor} before you run this item again. ${rest}`.trim(),
	});
}

/** A run that stops has no output, so the user learns what the other items created nevertheless. */
export function addOtherItems(
	error: UserError,
	{ lookFor }: CreationTexts,
	others: Outcome[],
): UserError {
	const count = (wanted: Outcome) => others.filter((outcome) => outcome === wanted).length;
	const [done, unknown] = [count('done'), count('unknown')];
	const facts = [done > 0 && `${done} created`, unknown > 0 && `${unknown} may exist`];
	if (done + unknown === 0) return error;
	const hint = `${error.hint} Other items of this run: ${facts.filter(Boolean).join(', ')}. Look ${lookFor}. To get the result of each item, set On Error to Continue, in the Settings tab.`;
	return error.with({ hint: hint.trim() });
}

/**
 * n8n up to 2.35 recognizes a failed item by an `error` property beside `json` only; later versions
 * also by its keys, if they are the three they know. The property must not be enumerable: n8n would
 * replace `json` with its message, whereas the copy with the input's fields merged in drops it
 * (n8n-core, workflow-execute.js).
 */
export function toErrorItem(
	{ onError }: INode,
	error: UserError,
	text: string,
	index: number,
	mayExist: boolean,
): INodeExecutionData {
	const { status } = error.details;
	const json: IDataObject = { error: text, message: formatMessage(error) };
	if (error.hint) json.nextStep = error.hint;
	if (status !== undefined) json.httpCode = status;
	Object.assign(json, { code: error.code, mayExist });
	const item = { json, pairedItem: { item: index } };
	return onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: { message: text } })
		: item;
}
