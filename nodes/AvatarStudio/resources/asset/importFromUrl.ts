import type { Field } from '../../execution/field';
import { getLastSegment } from '../../execution/fileItem';
import { getMediaKind } from '../../execution/mediaTypes';
import { HTTP_URL } from '../formats';
import { operation } from '../operation';
import { buildOptions, dryRun, retryUnknownOutcome, waitIfBusy } from '../sharedFields';

import { buildType, customType, linkNotice, name, resolveType } from './assetFields';
import { getDefaultName } from './defaultName';

const fileUrl: Field = {
	displayName: 'File URL',
	name: 'fileUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com/portrait.png',
	description: 'URL the service downloads the file from. It must be reachable from the internet.',
	format: HTTP_URL,
};

const type = buildType(
	'Detect From URL',
	'Image, video or audio, by the file extension in File URL',
);

const options = buildOptions([dryRun, waitIfBusy, retryUnknownOutcome]);

export const importFromUrl = operation({
	name: 'Import From URL',
	value: 'importFromUrl',
	action: 'Import asset from URL',
	description: 'Import a file from a public URL as an asset',
	route: 'POST /v1/assets/import/url',
	fields: [fileUrl, name, type, customType, options, linkNotice],
	createdName: 'The asset',
	prepare: ({ parameters, request }) => {
		const fileName = getLastSegment(parameters.fileUrl as string);
		const kind = getMediaKind(fileName);
		const problem = 'File URL does not end with the extension of an image, audio or a video';
		const resolved = resolveType(parameters, kind, problem);
		const defaultName = getDefaultName(fileName);
		request.body = { name: defaultName, ...(request.body as object), type: resolved };
	},
});
