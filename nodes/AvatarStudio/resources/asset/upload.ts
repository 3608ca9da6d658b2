import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { quote, shorten } from '../../errors/formatText';
import { toUserError, type UserError } from '../../errors/userError';
import { makeRequest } from '../../execution/makeRequest';
import { getMediaKind, getTypeExtension } from '../../execution/mediaTypes';
import type { Item } from '../../execution/nodeRun';
import { listRecords } from '../names';
import { operation } from '../operation';
import { buildOptions, dryRun, retryUnknownOutcome, waitIfBusy } from '../sharedFields';

import { assetType } from './asset';
import { buildType, customType, name, resolveType } from './assetFields';
import { getDefaultName } from './defaultName';
import { createFileLink } from './fileLink';
import { getInputFiles, inputFile } from './inputFiles';

/** What the service says if it rejects a request because of the link to the file. */
const ABOUT_LINK = /file[ _-]?url|binary-data\/signed|\b404\b/i;
const CHECK_LINK =
	'The service downloads the file from n8n. Check that n8n is reachable at its webhook address (N8N_WEBHOOK_URL, WEBHOOK_URL on n8n 1.x), and that all its processes have the same N8N_STORAGE_PATH.';
const CHECK_ADDRESS = 'If every operation reports this, check Base URL in the credential.';

const type = buildType(
	'Detect From File',
	'Image, video or audio, by its MIME type or file extension',
);

const options = buildOptions([dryRun, waitIfBusy, retryUnknownOutcome]);

export const upload = operation({
	name: 'Upload',
	value: 'upload',
	action: 'Upload asset',
	description: 'Upload a file from n8n as an asset',
	route: 'POST /v1/assets/import/url',
	fields: [inputFile, name, type, customType, options],
	createdName: 'The asset',
	prepare: async (item) => {
		const files = getInputFiles(item);
		const bodies = files.map(async (file, index) => {
			return await createBody(item, file, files.length > 1 ? ` ${index + 1}` : '');
		});
		item.requests = (await Promise.all(bodies)).map((body) => ({ ...item.request, body }));
	},
	execute: uploadFiles,
});

async function createBody(item: Item, file: IBinaryData, suffix: string) {
	const { mimeType = 'unknown', fileName } = file;
	const { name: given } = item.parameters;
	const problem = `The file ${quote(fileName ?? '')} of type ${shorten(mimeType)} is not an image, audio or a video`;
	const ofName = getMediaKind(mimeType) ?? getMediaKind(fileName);
	// "application/mp4" is a type of videos.
	const kind = ofName ?? getMediaKind(getTypeExtension(mimeType));
	return {
		name: given === undefined ? getDefaultName(fileName) : `${given as string}${suffix}`,
		type: resolveType(item.parameters, kind, problem),
		fileUrl: await createFileLink(item, file),
	};
}

/** Creates the assets one by one. If one fails after others, the message names those. */
async function uploadFiles(item: Item): Promise<INodeExecutionData[]> {
	const created: INodeExecutionData[] = [];
	for (const [index, request] of item.requests!.entries()) {
		const items = await makeRequest({ ...item, request }, index).catch((thrown: unknown) => {
			const error = explainLinkError(toUserError(thrown));
			if (created.length === 0) throw error;
			const uploaded = listRecords(created.map(({ json }) => assetType.describe(json)));
			throw error.with({ summary: `${error.summary}; uploaded before: ${uploaded}` });
		});
		created.push(...items);
	}
	return created;
}

/** The user has not entered the link to the file, so the hint says what to check if it does not work. */
function explainLinkError(error: UserError): UserError {
	const { code, serviceMessage = '' } = error.details;
	const isAboutLink = code === 'rejected' && ABOUT_LINK.test(serviceMessage);
	if (code === 'notFound') return error.with({ hint: `${CHECK_LINK} ${CHECK_ADDRESS}` });
	return isAboutLink ? error.with({ hint: CHECK_LINK }) : error;
}
