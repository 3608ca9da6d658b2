import type { IBinaryData, IExecutePaginationFunctions, INodePropertyOptions } from 'n8n-workflow';

import { isObject } from '../../client/response/json';
import { UserError } from '../../errors/userError';
import { listFirst, quote, shorten } from '../../errors/values';
import type { ItemExecution } from '../../execution/itemExecution';
import { getExtension, getMediaKind, getTypeForExtension } from '../../execution/mediaTypes';
import type { Field } from '../../execution/parameters';
import { buildOptions, dryRun, retryUnknownOutcome, waitIfBusy } from '../fields';
import { operation } from '../operation';

import { ifNameExists, requestAsset, reuseExistingAsset } from './existingAsset';
import { customType, name, resolveType, type } from './fields';
import { createFileLink } from './fileLink';
import { isOwnFile } from './ownFile';

const inputDataFieldName: Field = {
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the input field that contains the file to upload. If the item has only one file, "data" stands for it.',
	description:
		'Name of the input field that contains the file. An expression can return the file itself, such as {{ $("Form").item.binary.data }}.',
	isLocal: true,
	allowsObject: true,
};

const detectFromFile: INodePropertyOptions = {
	name: 'Detect From File',
	value: 'detect',
	description: 'Image, video or audio, by its MIME type or file extension',
};

const options = buildOptions([
	{
		...dryRun,
		description: `${dryRun.description} The link to the file is shown without its token.`,
	},
	ifNameExists,
	{
		...name,
		required: false,
		description: 'Name of the asset. If not set, the name of the file without its extension.',
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
		const { parameters, request } = item;
		const file = getFile(item);
		const { mimeType = 'unknown', fileName } = file;
		const assetName = (parameters.name as string | undefined) ?? getDefaultName(file);
		if (await reuseExistingAsset(item, assetName)) return;
		const kind = getMediaKind(mimeType, fileName);
		const problem = `A file of type ${shorten(mimeType)} is not an image, audio or a video`;
		const assetType = resolveType(parameters, kind, problem);
		request.body = {
			name: assetName,
			fileUrl: await createFileLink(item, file),
			type: assetType,
		};
	},
	execute: requestAsset,
});

/**
 * "data", the field's default, also stands for the only file of an item: a form, for example, names
 * the field after its label.
 *
 * @throws UserError if the item has no such file
 */
function getFile({ client, parameters }: ItemExecution): IBinaryData {
	const given = parameters.inputDataFieldName;
	const context = client.context as IExecutePaginationFunctions;
	if (isObject(given)) {
		const file = given as unknown as IBinaryData;
		const isFile = typeof given.mimeType === 'string';
		if (isFile && (!file.id || isOwnFile(context, file))) return file;
		throw new UserError(
			`Input Data Field Name must be the name of a field, or a file${isFile ? ' of this execution' : ''}`,
			'Enter a name such as data, or an expression such as {{ $("Form").item.binary.data }}.',
		);
	}
	const { binary = {} } = context.getInputData();
	if (Object.hasOwn(binary, given as string)) return binary[given as string]!;
	const [file, ...others] = Object.values(binary);
	if (file && others.length === 0 && given === inputDataFieldName.default) return file;
	throw new UserError(
		`Input Data Field Name ${quote(given as string)} contains no file`,
		file
			? `Set it to the field of a file: ${listFirst(Object.keys(binary), quote)}.`
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
