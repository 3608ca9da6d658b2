import { randomUUID } from 'node:crypto';
import { unescape } from 'node:querystring';

import { chooseExtension, getExtension, sampleFiles, type Asset } from './assets';
import type { Avatar } from './avatars';
import {
	createCreationResponse,
	createListResponse,
	findSpeechError,
	type Handler,
	type OperationRequest,
} from './handler';
import { fileResponse, jsonResponse, problemResponse, type ServiceResponse } from './responses';
import { createFastVideo, createVideo, getVideo } from './videos';
import { searchVoices, type Voice } from './voices';

/** What the stand-in does, by the `operationId` of `openapi.yaml`. */
export const operations: Record<string, Handler> = {
	listAssets,
	getAsset,
	updateAsset,
	deleteAsset,
	importAsset,
	createSpeech,
	listVoices,
	addApiKey,
	createVideo,
	getVideo,
	listAvatars,
	createFastVideo,
};

const IMPORT_TIMEOUT_MS = 10_000;

function listAssets(request: OperationRequest): ServiceResponse {
	const { options, store } = request;
	const isFull = options.listedAssetFields === 'full';
	return createListResponse(request, 'assets', store.assets, (asset) =>
		isFull ? createAssetBody(asset, request) : { id: asset.id, name: asset.name },
	);
}

function getAsset(request: OperationRequest): ServiceResponse {
	const asset = request.store.findAsset(request.id);
	return asset ? jsonResponse(createAssetBody(asset, request)) : assetNotFound(request.id);
}

function updateAsset({ id, body, store }: OperationRequest): ServiceResponse {
	const asset = store.findAsset(id);
	if (!asset) return assetNotFound(id);
	if (typeof body.name === 'string') asset.name = body.name;
	return jsonResponse({ id });
}

function deleteAsset({ id, store }: OperationRequest): ServiceResponse {
	if (!store.findAsset(id)) return assetNotFound(id);
	store.assets = store.assets.filter((asset) => asset.id !== id);
	return jsonResponse({});
}

async function importAsset(request: OperationRequest): Promise<ServiceResponse> {
	const { body, store } = request;
	const { name, fileUrl, type } = body as { name?: string; fileUrl?: string; type?: string };
	if (fileUrl === undefined) return problemResponse(422, 'fileUrl is required.');
	const { pathname, protocol } = new URL(fileUrl);
	if (!/^https?:$/.test(protocol)) return problemResponse(422, 'fileUrl must be an HTTP URL.');

	let content: Buffer;
	let contentType: string;
	try {
		const file = await fetch(fileUrl, { signal: AbortSignal.timeout(IMPORT_TIMEOUT_MS) });
		content = Buffer.from(await file.arrayBuffer());
		contentType = file.headers.get('content-type')?.split(';')[0] ?? 'application/octet-stream';
		if (!file.ok) return problemResponse(422, `fileUrl responded with status ${file.status}.`);
	} catch {
		return problemResponse(422, 'fileUrl could not be read.');
	}
	const asset: Asset = {
		id: randomUUID(),
		name: name ?? (unescape(pathname.split('/').at(-1)!) || 'Imported file'),
		type,
		extension: chooseExtension(contentType, pathname),
		originalFileUrl: fileUrl,
		content,
		contentType,
	};
	store.assets = [...store.assets, asset];
	const { url } = createAssetBody(asset, request);
	return jsonResponse({ id: asset.id, name: asset.name, url, originalFileUrl: null });
}

function createSpeech(request: OperationRequest): ServiceResponse {
	const { body, store, options, createLink } = request;
	const { voiceId = '', script = '' } = body as { voiceId?: string; script?: string };
	const error = findSpeechError({ ...request, body: { voiceId, script } }, true);
	if (error) return error;
	const id = randomUUID();
	store.speeches = [...store.speeches, { id, voiceId, script }];
	const audioUrl = () => ({ audioUrl: createLink(`/speeches/${id}.wav`) });
	const file = fileResponse(sampleFiles.speech, 'audio/wav', `speech-${id}.wav`);
	return createCreationResponse(options.speechResponse, { id, voiceId }, audioUrl, file);
}

function listVoices({ query, store, options, createLink }: OperationRequest): ServiceResponse {
	const found = searchVoices(store.voices, query.query ?? '');
	const addSample = (voice: Voice) => ({
		...voice,
		audioSampleUrl: createLink(`/voices/${voice.voiceId}.wav`),
	});
	const voices = options.hasVoiceSamples ? found.map(addSample) : found;
	return jsonResponse(options.voicesResponse === 'bare' ? voices : { voices });
}

function listAvatars(request: OperationRequest): ServiceResponse {
	const { filesUrl, store } = request;
	return createListResponse(
		request,
		undefined,
		store.avatars,
		({ id, name, photoUrl }: Avatar) => ({
			id,
			name,
			menuImageUrl: photoUrl ?? `${filesUrl}/avatars/${id}.svg`,
		}),
	);
}

function addApiKey({ body, store }: OperationRequest): ServiceResponse {
	store.providerKeys = [...store.providerKeys, body];
	return jsonResponse({});
}

function createAssetBody(asset: Asset, { createLink }: OperationRequest) {
	const extension = getExtension(asset);
	return {
		id: asset.id,
		name: asset.name,
		url: createLink(`/assets/${asset.id}${extension}`),
		originalFileUrl: asset.originalFileUrl ?? null,
		extension,
	};
}

function assetNotFound(id: string): ServiceResponse {
	return problemResponse(404, `There is no asset ${id}.`);
}
