import type { Field } from '../execution/field';
import type { FileKind } from '../execution/nodeRun';
import { DEFAULT_MAX_WAIT_MINUTES } from '../execution/wait';

import type { RecordFilter } from './filters';

/** Builds a collection: what the user adds to it is sent under its own name, unless it is local. */
export function buildCollection(
	displayName: string,
	name: string,
	placeholder: string,
	options: Field[],
): Field {
	return { displayName, name, type: 'collection', placeholder, default: {}, options };
}

/** Builds the collection of options: they control the node and are not sent. */
export function buildOptions(entries: Field[]): Field {
	return { ...buildCollection('Options', 'options', 'Add option', entries), isLocal: true };
}

/**
 * Builds the collection of filters, which the node applies because the service offers none. A filter
 * whose expression returns nothing is an error: without the filter, every record would be selected, and
 * the next node may delete them.
 */
export function buildFilters(table: RecordFilter[]): Field {
	const entries = table.map(({ field }) => field);
	const filters = buildCollection('Filters', 'filters', 'Add filter', entries);
	return { ...filters, isLocal: true, failsIfExpressionIsEmpty: true };
}

export const outputFile: Field = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
	description: 'Name of the output field for the file',
	isLocal: true,
};

export const optionalOutputFile: Field = { ...outputFile, required: false };

export const dryRun: Field = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: true,
	description:
		'Whether to change nothing in the service and to return the request instead. If not added, false. Fields are validated and names are looked up as in a real run.',
	isLocal: true,
	failsIfExpressionIsEmpty: true,
};

export const waitIfBusy: Field = {
	displayName: 'Wait If Busy (Minutes)',
	name: 'waitIfBusyMinutes',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 15,
	description:
		'How long to wait while the service refuses because of too many requests. With 0, the item fails at the first refusal.',
	isLocal: true,
};

export const retryUnknownOutcome: Field = {
	displayName: 'Retry If Outcome Is Unknown',
	name: 'retryUnknownOutcome',
	type: 'boolean',
	default: false,
	description:
		'Whether Retry On Fail may send the request again if it is unknown whether the service carried it out. The result may then be created and charged twice.',
	isLocal: true,
};

const linkField: Field = {
	displayName: 'Link Field',
	name: 'linkField',
	type: 'string',
	default: '',
	placeholder: 'e.g. result.url',
	description:
		'Name of the response field with the link to the file. Leave empty if the response contains only one link to such a file, besides one with a watermark.',
	isLocal: true,
};

const customBody: Field = {
	displayName: 'Custom Body',
	name: 'customBody',
	type: 'json',
	default: '{}',
	description: 'JSON object with further request fields. They override the other fields.',
	isMergedLast: true,
};

/** Builds the options about the file of a video or a speech, and how long it is waited for. */
export function buildFileOptions(kind: FileKind): Field[] {
	const noun = kind === 'video' ? 'video' : 'speech';
	const minutes = DEFAULT_MAX_WAIT_MINUTES[kind];
	return [
		{
			displayName: 'Download File',
			name: 'downloadFile',
			type: 'boolean',
			default: true,
			description: `Whether to attach the file of the ${noun}, once it is there. Without it, the output has the link.`,
			isLocal: true,
		},
		optionalOutputFile,
		linkField,
		{
			displayName: 'Maximum Wait (Minutes)',
			name: 'maxWaitMinutes',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: minutes,
			description: `How long to wait for the ${noun} to be finished. If not added, ${minutes}.`,
			isLocal: true,
		},
	];
}

/**
 * Builds the options of what creates a video or a speech, in the order in which users need them rather
 * than in alphabetical order: how to try it without credits and to get the file come first.
 */
export function buildCreationOptions(kind: FileKind): Field {
	return buildOptions([
		dryRun,
		...buildFileOptions(kind),
		waitIfBusy,
		customBody,
		retryUnknownOutcome,
	]);
}

export const costNotice: Field = {
	displayName:
		'Each input item creates a new video or speech and may cost credits. While you build, add Dry Run below or pin the output.',
	name: 'costNotice',
	type: 'notice',
	default: '',
	displayOptions: { hide: { '@tool': [true] } },
};

export const script: Field = {
	displayName: 'Script',
	name: 'script',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder: 'e.g. Welcome to our spring collection!',
	description: 'Text to speak, in the language of the voice',
};
