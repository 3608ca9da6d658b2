import { isMissing } from '../../client/list';
import type { RequestError } from '../../errors/userError';
import type { Field } from '../../execution/field';
import { makeRequest } from '../../execution/makeRequest';
import { ID } from '../formats';
import { operation } from '../operation';
import { buildFileOptions, buildOptions } from '../sharedFields';

import { finishVideos } from './finish';
import { rememberLookUp } from './lookUp';

const videoId: Field = {
	displayName: 'Video ID',
	name: 'videoId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
	description: 'The ID that Video: Create returned',
	format: { ...ID, hint: 'Enter the ID that Video: Create returned.' },
};

const waitUntilFinished: Field = {
	displayName: 'Wait Until Finished',
	name: 'waitUntilFinished',
	type: 'boolean',
	default: false,
	description:
		'Whether to wait until the video can be watched. Otherwise the field "finished" of the output says whether it can.',
	isLocal: true,
};

export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get video',
	description: 'Get a video that was created, and whether it is finished',
	route: 'GET /v1/talkingphotos/{videoId}',
	fields: [videoId, waitUntilFinished, buildOptions(buildFileOptions('video'))],
	fileKind: 'video',
	execute: async (item) => {
		const videos = await makeRequest(item).catch((error: unknown) => {
			throw isMissing(error) ? explainMissing(error as RequestError) : error;
		});
		await rememberLookUp(item.client);
		return await finishVideos(item, videos);
	},
});

/** The specification has no such route, so a service may have none. */
function explainMissing(error: RequestError): RequestError {
	return error.with({
		summary: 'The service found no video with this ID, or cannot look up videos',
		hint: 'Check Video ID. If no video is found this way, find it in the studio application.',
	});
}
