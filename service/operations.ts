import { randomUUID } from 'node:crypto';
import { unescape } from 'node:querystring';

import { chooseExtension, getExtension, sampleFiles, type Asset } from './assets';
import type { CreationResponse, ServiceOptions } from './options';
import { getPage } from './pagination';
import { fileResponse, jsonResponse, problemResponse, type ServiceResponse } from './responses';
import type { Store, Video } from './store';
import { searchVoices } from './voices';

/** What a handler needs of a request, which the contract has found to be valid. */
interface OperationRequest {
	/** The path parameter {id}; empty if the path has none. */
	id: string;
	query: Record<string, string>;
	body: Record<string, unknown>;
	options: Required<ServiceOptions>;
	store: Store;
	/** Signs a link to a path of the files host. */
	createLink: (path: string) => string;
}

type Handler = (request: OperationRequest) => ServiceResponse | Promise<ServiceResponse>;

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

function createSpeech({ body, store, options, createLink }: OperationRequest): ServiceResponse {
	const { voiceId = '', script = '' } = body as { voiceId?: string; script?: string };
	if (script.trim() === '') return problemResponse(400, 'script is empty.');
	if (!hasVoice(store, voiceId)) return unknownVoice(voiceId);
	const id = randomUUID();
	store.speeches = [...store.speeches, { id, voiceId, script }];
	const audioUrl = () => ({ audioUrl: createLink(`/speeches/${id}.wav`) });
	const file = fileResponse(sampleFiles.speech, 'audio/wav', `speech-${id}.wav`);
	return createCreationResponse(options.speechResponse, { id, voiceId }, audioUrl, file);
}

function listVoices({ query, store, options, createLink }: OperationRequest): ServiceResponse {
	const voices = searchVoices(store.voices, query.query ?? '');
	return jsonResponse({
		voices: options.hasVoiceSamples
			? voices.map((voice) => ({
					...voice,
					audioSampleUrl: createLink(`/voices/${voice.voiceId}.wav`),
				}))
			: voices,
	});
}

function addApiKey({ body, store }: OperationRequest): ServiceResponse {
	store.providerKeys = [...store.providerKeys, body];
	return jsonResponse({});
}

function createVideo({ body, store, options, createLink }: OperationRequest): ServiceResponse {
	const { avatarId, voiceId, script, videoTitle } = body as Record<string, string | undefined>;
	if (script?.trim() === '') return problemResponse(400, 'script is empty.');
	if (voiceId !== undefined && !hasVoice(store, voiceId)) return unknownVoice(voiceId);
	const { avatarIds } = options;
	if (avatarId !== undefined && avatarIds.length > 0 && !avatarIds.includes(avatarId)) {
		return invalidField('avatarId', `There is no avatar ${avatarId}.`);
	}
	const id = randomUUID();
	const video: Video = { status: 'completed', ...body, id };
	const { status } = video;
	store.videos = [...store.videos, video];
	const url = () => ({ url: createLink(`/videos/${id}.mp4`) });
	const file = fileResponse(sampleFiles.greeting, 'video/mp4', `${videoTitle ?? id}.mp4`);
	return createCreationResponse(options.videoResponse, { id, videoTitle, status }, url, file);
}

/** Responds with the page of a list that the query asks for, as the options say. */
function createListResponse<T extends object>(
	{ query, options }: OperationRequest,
	property: string,
	records: T[],
	toBody: (record: T) => object = (record) => record,
): ServiceResponse {
	const page = getPage(records, { page: query.Page, pageSize: query.PageSize }, options.pagination);
	if ('error' in page) return problemResponse(page.status, page.error);
	return jsonResponse({ [property]: page.items.map(toBody) });
}

/** Responds to a creation as the options say, because openapi.yaml leaves it open. */
function createCreationResponse(
	type: CreationResponse,
	record: object,
	createLink: () => object,
	file: ServiceResponse,
): ServiceResponse {
	if (type === 'file') return file;
	if (type === 'empty') return jsonResponse({});
	const first = { ...record, ...createLink() };
	return jsonResponse(type === 'link' ? first : [first, createLink()]);
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

function hasVoice(store: Store, voiceId: string): boolean {
	return store.voices.some((voice) => voice.voiceId === voiceId);
}

function assetNotFound(id: string): ServiceResponse {
	return problemResponse(404, `There is no asset ${id}.`);
}

function unknownVoice(voiceId: string): ServiceResponse {
	return invalidField('voiceId', `There is no voice ${voiceId}.`);
}

function invalidField(field: string, reason: string): ServiceResponse {
	return problemResponse(422, 'One or more fields are not valid.', {
		errors: { [field]: [reason] },
	});
}
