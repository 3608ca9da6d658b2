import type {
	IBinaryData,
	IExecutePaginationFunctions,
	INodeExecutionData,
	IWorkflowDataProxyData,
} from 'n8n-workflow';

import { getReach } from '../../client/reach';
import { isObject } from '../../client/response/json';
import { UserError } from '../../errors/userError';
import { listFirst, quote } from '../../errors/values';
import type { Item } from '../../execution/item';
import type { Field } from '../../execution/parameters';

export const inputDataFieldName: Field = {
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the input field that contains the file to upload, or several names separated by commas. A name includes the fields that are numbered after it, such as data_1. If the item has no field "data", it stands for all its files.',
	description:
		'Name of the input field that contains the file, or several names separated by commas: each file becomes an asset. An expression can return the file itself, such as {{ $("Form").item.binary.data }}.',
	isLocal: true,
	allowsObject: true,
};

/**
 * Several fields are separated by commas. A name includes the fields numbered after it, as n8n's nodes
 * number the files that they collect on an item: from 0, or from 1 without a gap if it is itself a field.
 * "Photo" and "Photo_2" are two questions of a form, of which one may be left empty. "data", the field's
 * default, also stands for all files of an item: a form, for example, names the fields after its label.
 *
 * @returns the files of an item that the user wants
 * @throws UserError if the item has no such file
 */
export function getInputFiles({ client, parameters }: Item): IBinaryData[] {
	const given = parameters.inputDataFieldName;
	const context = client.context as IExecutePaginationFunctions;
	if (isObject(given)) {
		const file = given as unknown as IBinaryData;
		const isFile = typeof given.mimeType === 'string';
		if (isFile && (!file.id || isOwnFile(context, file.id))) return [file];
		throw new UserError(
			`Input Data Field Name must be the name of a field, or a file${isFile ? ' of this execution' : ''}`,
			'Enter a name such as data, or an expression such as {{ $("Form").item.binary.data }}.',
		);
	}
	const files = getItemFiles(context);
	const text = (given as string).replace(/(?<=^|,)\s*_files\./g, '');
	const isDefault = text === inputDataFieldName.default && !files.has(text);
	const names = files.has(text) ? [text] : text.split(',').map((name) => name.trim());
	const getFields = (name: string) => {
		const numbers = [...files.keys()].map((field) => /_(\d+)$/.exec(field)?.[1]);
		const all = numbers.map((it) => `${name}_${it}`).filter((it) => files.has(it));
		if (!files.has(name)) return all.includes(`${name}_0`) ? all : [];
		const fields = [name];
		for (let number = 1; files.has(`${name}_${number}`); number++) fields.push(`${name}_${number}`);
		return fields;
	};
	const wanted = new Set(isDefault ? files.keys() : names.flatMap(getFields));
	const missing = names.find((name) => name !== '' && getFields(name).length === 0);
	if (wanted.size > 0 && (isDefault || missing === undefined)) {
		return [...wanted].map((name) => files.get(name)!);
	}
	throw new UserError(
		`Input Data Field Name ${quote(missing ?? text)} contains no file`,
		files.size > 0
			? `Set it to the fields of files: ${listFirst([...files.keys()], quote)}.`
			: 'This item has no files. Check the output of the previous node.',
	);
}

/**
 * n8n's workflow setting "combined" for binary data puts the files of an item into its JSON. What
 * came from outside may look the same, but can know neither the ID of a file that a webhook received
 * nor of one in a database.
 *
 * @returns the files of the input item, by the names of their fields
 */
function getItemFiles(context: IExecutePaginationFunctions): Map<string, IBinaryData> {
	const { binary, json } = context.getInputData();
	const received = `:workflows/${context.getWorkflow().id}/executions/temp/binary_data/`;
	const isOfItem = (file: unknown) => {
		const id = isObject(file) && typeof file.id === 'string' ? file.id : '';
		if (id === '') return false;
		if (id.includes(received) && !id.includes('..')) return true;
		return /^database:[\w-]+$/.test(id) || isOwnFile(context, id);
	};
	const combined = isObject(json._files) ? Object.entries(json._files) : [];
	const files = combined.filter(([, file]) => isOfItem(file)) as unknown as [string, IBinaryData][];
	return new Map([...files, ...Object.entries(binary ?? {})]);
}

/**
 * Whether a file is one of this execution. An expression over data from outside may return an object
 * with the ID of any file that n8n holds, and the service would get a link to it. n8n's ID of a file
 * names its execution, unless it is in a database, or was received by a webhook or from another
 * workflow: such a file must be on an item of an earlier node.
 */
function isOwnFile(context: IExecutePaginationFunctions, id: string): boolean {
	const [, folder] = /^[\w-]+:([^:]+)\/[\w-]+$/.exec(id) ?? [];
	const execution = `workflows/${context.getWorkflow().id}/executions/${context.getExecutionId()}`;
	return folder === `${execution}/binary_data` || isOnItem(context, id);
}

/** An agent's tool has no previous nodes of its own, but those of the agent. */
function isOnItem(context: IExecutePaginationFunctions, id: string): boolean {
	const { source } = context.getExecuteData();
	const previous = (source?.main ?? []).flatMap((link) => link?.previousNode ?? []);
	const parents = [context.getNode().name, ...previous].flatMap((name) =>
		context.getParentNodes(name).map((node) => node.name),
	);
	const proxy = context.getWorkflowDataProxy(context.getItemIndex());
	return [...new Set([...previous, ...parents])]
		.flatMap((name) => getOutput(proxy, name))
		.some(({ binary }) => Object.values(binary ?? {}).some((file) => file?.id === id));
}

function getOutput({ $ }: IWorkflowDataProxyData, name: string): INodeExecutionData[] {
	try {
		return ($ as (node: string) => { all: () => INodeExecutionData[] })(name).all();
	} catch {
		return [];
	}
}

/**
 * As long as the service's own links. The last of many files may wait for hours; but the service may
 * repeat the link in its responses, which end up in saved executions.
 */
const LINK_LIFETIME = '12 hours';

/**
 * Creates a signed link to a file that n8n holds, for the service to download it from. The link
 * opens that one file only. In a dry run, nothing can be downloaded from it.
 *
 * @throws UserError before anything is sent, if n8n cannot create the link or the service, by
 *   the host of its Base URL, could not follow it
 */
export async function createFileLink({ client, parameters }: Item, file: IBinaryData) {
	const { helpers } = client.context;
	const { data, fileName, id, mimeType } = file;
	// A Code node may give the content itself, and a file that a webhook received is renamed when the
	// execution ends, which breaks its link.
	const isStored = id && (parameters.dryRun === true || !id.includes('/temp/'));
	let stored = file;
	if (!isStored) {
		// It may also be a Buffer.
		const text = typeof data === 'string' ? data.replace(/^data:[^,]*,/, '') : (data ?? '');
		const inline = Buffer.from(text, 'base64');
		const content = id ? await helpers.getBinaryStream(id) : inline;
		stored = await helpers.prepareBinaryData(content, fileName, mimeType);
	}
	// As n8n writes it, on every version.
	if (stored.fileSize === '0 B') {
		throw new UserError(
			`The file ${quote(fileName ?? '')} is empty`,
			'Use another file, or its field instead of an expression.',
		);
	}
	if (!stored.id) {
		throw new UserError(
			'n8n keeps this file in memory and cannot create a link to it',
			'Set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (or to database in queue mode), or use Asset: Import From URL.',
		);
	}
	const link = helpers.createBinarySignedUrl(stored, LINK_LIFETIME);
	if (getReach(link) < getReach(await client.getBaseUrl())) {
		throw new UserError(
			`The service cannot download the file from n8n at ${new URL(link).host}`,
			'Set WEBHOOK_URL of n8n to an address that is reachable from the internet, or use Asset: Import From URL.',
		);
	}
	// Whoever sees the token can download the file.
	return parameters.dryRun ? link.replace(/(?<=token=).*/, '…') : link;
}
