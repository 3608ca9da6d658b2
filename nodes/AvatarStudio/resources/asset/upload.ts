import type {
	IBinaryData,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyOptions,
} from 'n8n-workflow';

import { isObject } from '../../client/response/json';
import { RequestError, toUserError } from '../../errors/requestError';
import { UserError } from '../../errors/userError';
import { listFirst, quote, shorten } from '../../errors/values';
import { requestItems, type ItemExecution } from '../../execution/itemExecution';
import { getExtension, getMediaKind, getTypeForExtension } from '../../execution/mediaTypes';
import type { Field } from '../../execution/parameters';
import { operation } from '../operation';
import { buildOptions, dryRun, retryUnknownOutcome, waitIfBusy } from '../sharedFields';

import { customType, name, resolveType, type } from './assetFields';
import { createFileLink } from './fileLink';
import { isOwnFile } from './ownFile';

const inputDataFieldName: Field = {
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the input field that contains the file to upload, or several names separated by commas. If the item has no field "data", it stands for all its files.',
	description:
		'Name of the input field that contains the file, or several names separated by commas: each file becomes an asset. An expression can return the file itself, such as {{ $("Form").item.binary.data }}.',
	isLocal: true,
	allowsObject: true,
};

const detectFromFile: INodePropertyOptions = {
	name: 'Detect From File',
	value: 'detect',
	description: 'Image, video or audio, by its MIME type or file extension',
};

const options = buildOptions([
	dryRun,
	{
		...name,
		required: false,
		description:
			'Name of the asset; several get a number. If not set, the name of the file without its extension.',
	},
	{
		...type,
		required: false,
		options: (type.options as INodePropertyOptions[]).map((option) =>
			option.value === 'detect' ? detectFromFile : option,
		),
	},
	customType,
	waitIfBusy,
	retryUnknownOutcome,
]);

const uploadNotice: Field = {
	displayName:
		'The service downloads the file from n8n over a link that works for one hour, so n8n must be reachable from the internet at the address in WEBHOOK_URL',
	name: 'uploadNotice',
	type: 'notice',
	default: '',
};

export const upload = operation({
	name: 'Upload',
	value: 'upload',
	action: 'Upload asset',
	description: 'Upload a file from n8n as an asset',
	route: 'POST /v1/assets/import/url',
	fields: [inputDataFieldName, options, uploadNotice],
	creates: { subject: 'The asset', lookFor: 'among the assets (Asset: Get Many)' },
	prepare: async (item) => {
		const bodies = getFiles(item).map(async (file, index, { length }) => {
			const { mimeType = 'unknown', fileName } = file;
			const { name: given } = item.parameters;
			const assetName =
				length > 1 && given !== undefined ? `${given as string} ${index + 1}` : given;
			if (file.fileSize === NO_BYTES) {
				throw new UserError(`The file ${quote(fileName ?? '')} is empty`, 'Use another file.');
			}
			const kind = getMediaKind(mimeType, fileName);
			const problem = `A file of type ${shorten(mimeType)} is not an image, audio or a video`;
			const assetType = resolveType(item.parameters, kind, problem);
			const link = await createFileLink(item, file);
			return { name: assetName ?? getDefaultName(file), fileUrl: link, type: assetType };
		});
		item.requests = (await Promise.all(bodies)).map((body) => ({ ...item.request, body }));
	},
	execute: uploadFiles,
});

/** As n8n writes it, on every version. */
const NO_BYTES = '0 B';

/**
 * Creates one asset for each file of an item. If one fails behind others, the item must not be
 * executed again as a whole.
 */
async function uploadFiles(item: ItemExecution): Promise<INodeExecutionData[]> {
	const created: INodeExecutionData[] = [];
	const names: string[] = [];
	for (const request of item.requests!) {
		const items = await requestItems({ ...item, request }).catch((thrown: unknown) => {
			const error = toUserError(thrown);
			if (names.length === 0) throw error;
			const summary = `${error.summary}; uploaded before: ${listFirst(names, quote)}`;
			const { details } = error instanceof RequestError ? error : new RequestError(summary, '');
			throw new RequestError(summary, error.hint, { ...details, outcome: 'unknown' });
		});
		created.push(...items);
		names.push((request.body as { name: string }).name);
	}
	return created;
}

/**
 * Several fields are separated by commas. "data", the field's default, also stands for all files of
 * an item: a form, for example, names the fields after its label.
 *
 * @throws UserError if the item has no such file
 */
function getFiles({ client, parameters }: ItemExecution): IBinaryData[] {
	const given = parameters.inputDataFieldName;
	const context = client.context as IExecutePaginationFunctions;
	if (isObject(given)) {
		const file = given as unknown as IBinaryData;
		const isFile = typeof given.mimeType === 'string';
		if (isFile && (!file.id || isOwnFile(context, file))) return [file];
		throw new UserError(
			`Input Data Field Name must be the name of a field, or a file${isFile ? ' of this execution' : ''}`,
			'Enter a name such as data, or an expression such as {{ $("Form").item.binary.data }}.',
		);
	}
	const { binary = {} } = context.getInputData();
	const files = new Map(Object.entries(binary));
	const text = given as string;
	const isDefault = text === inputDataFieldName.default && !files.has(text);
	const names = files.has(text) ? [text] : text.split(',').map((name) => name.trim());
	const wanted = new Set(isDefault ? files.keys() : names.filter(Boolean));
	const missing = [...wanted].find((name) => !files.has(name));
	if (wanted.size > 0 && missing === undefined) return [...wanted].map((name) => files.get(name)!);
	throw new UserError(
		`Input Data Field Name ${quote(missing ?? text)} contains no file`,
		files.size > 0
			? `Set it to the fields of files: ${listFirst([...files.keys()], quote)}.`
			: 'This item has no files. Check the output of the previous node.',
	);
}

function getDefaultName({ fileName }: IBinaryData): string {
	const name = (fileName ?? '').trim();
	const extension = getExtension(name);
	const isKnown = getTypeForExtension(extension) !== undefined;
	const base = isKnown ? name.slice(0, -extension.length - 1).trim() : name;
	return base || name || 'Untitled';
}
