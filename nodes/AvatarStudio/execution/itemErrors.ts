import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { formatMessage } from '../errors/nodeError';
import { CHECK_BASE_URL, toUnknownAddressError } from '../errors/statusError';
import type { UserError } from '../errors/userError';

import type { StoppedRun } from './nodeRun';
import { listLabels, type Field } from './parameters';

/** What messages call what an operation creates, and where to look for it. */
export interface CreationTexts {
	/** "The video" */
	subject: string;
	/** "in the studio application" */
	lookFor: string;
}

/** Statuses by which a service may report a value that it does not accept. */
const REJECTIONS = new Set([400, 404, 422]);

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
	if (!REJECTIONS.has(status)) return error;
	const given = fields.filter(
		({ name, unknownValueHint }) => unknownValueHint && parameters[name] !== undefined,
	);
	const named = given.find(({ name }) => serviceMessage.includes(parameters[name] as string));
	if (named) return error.with({ hint: named.unknownValueHint });
	if (status === 404 && route.includes('{')) return error;
	const hints = given.map(({ unknownValueHint }) => unknownValueHint);
	if (status === 404) {
		return given.length === 0
			? toUnknownAddressError(error)
			: error.with({
					summary: 'The service did not find something this request names',
					hint: [...hints, CHECK_BASE_URL].join(' '),
				});
	}
	const sent = fields.filter(({ name, isLocal }) => !isLocal && parameters[name] !== undefined);
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
	{ error, doneCount, uncertainCount }: StoppedRun,
	creates?: CreationTexts,
): UserError {
	const facts: string[] = [];
	if (doneCount > 0) facts.push(`${countOthers(doneCount)} ${doneCount === 1 ? 'was' : 'were'}`);
	if (uncertainCount > 0) facts.push(`${countOthers(uncertainCount)} may have been`);
	if (!creates || facts.length === 0) return error;
	const hint = `${error.hint} ${facts.join(' and ')} created in this run. Look ${creates.lookFor}. To get the result of each item, set On Error to Continue, in the Settings tab.`;
	return error.with({ hint: hint.trim() });
}

function countOthers(count: number): string {
	return count === 1 ? '1 other item' : `${count} other items`;
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
