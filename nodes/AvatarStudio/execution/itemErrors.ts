import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { formatMessage } from '../errors/nodeError';
import type { Outcome, UserError } from '../errors/userError';

const LOOK = 'Look in the studio application';

/** @param creation what may have been created although its request failed, such as "The video" */
export function addMayExist(error: UserError, creation: string): UserError {
	// To try again later, as its hint says, would contradict this one.
	const rest = error.details.code === 'unavailable' ? '' : error.hint;
	return error.with({
		hint: `${creation} may exist anyway. ${LOOK} before you run this item again. ${rest}`.trim(),
	});
}

/** A run that stops has no output, so the user learns what the other items created nevertheless. */
export function addOtherItems(error: UserError, others: Outcome[]): UserError {
	const count = (wanted: Outcome) => others.filter((outcome) => outcome === wanted).length;
	const [done, unknown] = [count('done'), count('unknown')];
	if (done + unknown === 0) return error;
	const facts = `Other items of this run: ${done} created, ${unknown} may exist`;
	const hint = `${error.hint} ${facts}. ${LOOK}. To get the result of each item, set On Error to Continue, in the Settings tab.`;
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
	Object.assign(json, { code: error.details.code, mayExist });
	const item = { json, pairedItem: { item: index } };
	return onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: { message: text } })
		: item;
}
