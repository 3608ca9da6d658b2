import type { IDataObject } from 'n8n-workflow';

import { CHECK_BASE_URL, toUnknownAddressError } from '../errors/statusError';
import type { UserError } from '../errors/userError';

import { listLabels, type Field } from './parameters';

/** Statuses by which a service may report a value that it does not accept. */
const REJECTIONS = new Set([400, 404, 422]);

/**
 * Replaces the general hint for a rejected request by what to check of its fields, unless the service
 * explains it. If the service names a value, that is the one.
 *
 * @param route the declared path: a 404 means the ID in it, if it has one
 */
export function toRejectedFieldsError(
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
