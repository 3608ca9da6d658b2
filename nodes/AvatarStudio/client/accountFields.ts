import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { UserError } from '../errors/userError';

/** A field of the credential by which the service knows whose request it is. */
interface AccountField {
	/** The header that has the value of the field. A field without a value is not sent. */
	header: string;
	property: INodeProperties;
}

const apiKey: AccountField = {
	header: 'x-api-key',
	property: {
		displayName: 'API Key',
		name: 'apiKey',
		type: 'string',
		typeOptions: { password: true },
		required: true,
		default: '',
		description: 'The key is only sent to the host in Base URL',
		hint: 'Create a key in your profile in the studio application, if your plan includes API access, or ask the support team',
	},
};

/**
 * The fields of the credential that are sent as headers, in the order of the form. From an entry follow the
 * field, its header and its share in who an account is: see `identifyAccount`.
 */
export const ACCOUNT_FIELDS: AccountField[] = [apiKey];

/** @returns the API key as it is sent, '' if there is none */
export function getApiKey(credential: IDataObject): string {
	return readText(credential, apiKey);
}

/** @returns the headers of the fields that have a value */
export function getAccountHeaders(credential: IDataObject): Record<string, string> {
	const headers = ACCOUNT_FIELDS.map((field) => [field.header, readText(credential, field)]);
	return Object.fromEntries(headers.filter(([, value]) => value !== '')) as Record<string, string>;
}

/** Throws UserError naming the first field that has no value but needs one, or cannot be sent. */
export function assertAccountFieldsAreValid(credential: IDataObject): void {
	for (const field of ACCOUNT_FIELDS) {
		const { displayName, required = false } = field.property;
		const value = readText(credential, field);
		if (value === '' && required) {
			throw new UserError(`${displayName} is empty`, 'Enter it in the credential.');
		}
		if (/^[\x21-\x7e]*$/.test(value)) continue;
		throw new UserError(
			`${displayName} contains a space, a line break or a special character`,
			'Paste it into the credential again.',
		);
	}
}

function readText(credential: IDataObject, { property }: AccountField): string {
	const value = credential[property.name];
	return typeof value === 'string' ? value.trim() : '';
}
