import { randomUUID } from 'node:crypto';
import { unescape } from 'node:querystring';

import { chooseExtension, getExtension, type Asset } from './asset';
import { fetchFile } from './fetchFile';
import { buildFilePath } from './filesHost';
import type { ResolvedOptions } from './options';
import { getPage, shuffle } from './pagination';
import {
	fileResponse,
	jsonResponse,
	emptyResponse,
	problemResponse,
	textResponse,
	type ServiceResponse,
} from './responses';
import { greetingVideo } from './seedAssets';
import type { SignedUrls } from './signedUrls';
import { synthesizeSpeech } from './sound';
import type { Speech, Store, Video } from './store';
import { searchVoices } from './voices';

/** A request that kept the contract, on its way to its operation. */
export interface OperationRequest {
	/** Path parameter {id}; empty where the path has none. */
	id: string;
	query: Record<string, string>;
	body: Record<string, unknown>;
	options: ResolvedOptions;
	store: Store;
	links: SignedUrls;
	/** How many lists were asked for before: each shuffled one has another order. */
	listNumber: number;
}

type Operation = (call: OperationRequest) => ServiceResponse | Promise<ServiceResponse>;

/** What the service does, by the operationId of the contract. */
export const operations: Record<string, Operation> = {
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

function listAssets({
	query,
	options,
	store,
	links,
	listNumber,
}: OperationRequest): ServiceResponse {
	const { pagination, listedAssetFields } = options;
	const list = pagination.order === 'shuffled' ? shuffle(store.assets, listNumber) : store.assets;
	const page = getPage(
		list,
		{ page: parseInteger(query.Page), pageSize: parseInteger(query.PageSize) },
		pagination,
	);
	if ('error' in page) return problemResponse(400, page.error);
	return jsonResponse({
		assets: page.items.map((asset) =>
			listedAssetFields === 'full'
				? toAssetResource(asset, links, options)
				: { id: asset.id, name: asset.name },
		),
	});
}

function getAsset({ id, store, links, options }: OperationRequest): ServiceResponse {
	const asset = store.findAsset(id);
	return asset ? jsonResponse(toAssetResource(asset, links, options)) : assetNotFound(id);
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

async function importAsset({
	body,
	store,
	links,
	options,
}: OperationRequest): Promise<ServiceResponse> {
	const { name, fileUrl, type } = body as { name?: string; fileUrl?: string; type?: string };
	if (fileUrl === undefined) return problemResponse(422, 'fileUrl is needed.');
	const fetched = await fetchFile(fileUrl, options.importLimits);
	if ('refusal' in fetched) return problemResponse(422, fetched.refusal);
	const { pathname } = new URL(fileUrl);
	const asset: Asset = {
		id: randomUUID(),
		name: name ?? getLastSegment(pathname),
		type,
		extension: chooseExtension(fetched.contentType, pathname),
		originalFileUrl: fileUrl,
		...fetched,
	};
	store.assets = [...store.assets, asset];
	const { id, name: stored, url } = toAssetResource(asset, links, options);
	return jsonResponse({ id, name: stored, url, originalFileUrl: null });
}

function createSpeech({ body, store, links, options }: OperationRequest): ServiceResponse {
	const { voiceId = '', script = '' } = body as { voiceId?: string; script?: string };
	if (script.trim() === '') return problemResponse(400, 'script is empty.');
	if (!hasVoice(store, voiceId)) return unknownVoice(voiceId);
	const speech: Speech = { id: randomUUID(), voiceId, script };
	store.speeches = [...store.speeches, speech];
	const link = () => ({
		id: speech.id,
		voiceId,
		audioUrl: links.create(
			buildFilePath('speeches', speech.id, '.wav'),
			options.linkLifetimeSeconds,
		),
	});
	switch (options.speechResponse) {
		case 'empty':
			return jsonResponse({});
		case 'link':
			return jsonResponse(link());
		case 'array':
			return jsonResponse([link(), link()]);
		case 'audio':
			return fileResponse(synthesizeSpeech(script), 'audio/wav', `speech-${speech.id}.wav`);
		case 'text':
			return textResponse(link().audioUrl);
		case 'noContent':
			return emptyResponse();
	}
}

function listVoices({ query, store }: OperationRequest): ServiceResponse {
	return jsonResponse({ voices: searchVoices(store.voices, query.query ?? '') });
}

function addApiKey({ body, store, options }: OperationRequest): ServiceResponse {
	store.providerKeys = [...store.providerKeys, body];
	return options.addApiKeyResponse === 'empty' ? jsonResponse({}) : emptyResponse();
}

function createVideo({ body, store, links, options }: OperationRequest): ServiceResponse {
	const { voiceId, script } = body as { voiceId?: string; script?: string };
	if (script?.trim() === '') return problemResponse(400, 'script is empty.');
	if (voiceId !== undefined && !hasVoice(store, voiceId)) return unknownVoice(voiceId);
	const video: Video = { status: 'queued', ...body, id: randomUUID() };
	store.videos = [...store.videos, video];
	const { id, videoTitle, status } = video;
	const url = () => links.create(buildFilePath('videos', id, '.mp4'), options.linkLifetimeSeconds);
	switch (options.videoResponse) {
		case 'empty':
			return jsonResponse({});
		case 'id':
			return jsonResponse({ id, videoTitle, status });
		case 'link':
			return jsonResponse({ id, videoTitle, status: 'completed', url: url() });
		case 'array':
			return jsonResponse([
				{ id, videoTitle, status },
				{ id, url: url() },
			]);
		case 'text':
			return textResponse(`Video ${id} is on its way.`);
		case 'noContent':
			return emptyResponse();
		case 'file':
			return fileResponse(greetingVideo, 'video/mp4', `${videoTitle ?? id}.mp4`);
	}
}

function toAssetResource(
	asset: Asset,
	links: SignedUrls,
	{ linkLifetimeSeconds }: ResolvedOptions,
) {
	const extension = getExtension(asset);
	return {
		id: asset.id,
		name: asset.name,
		url: links.create(buildFilePath('assets', asset.id, extension), linkLifetimeSeconds),
		originalFileUrl: asset.originalFileUrl ?? null,
		extension,
	};
}

function parseInteger(value: string | undefined): number | undefined {
	return value === undefined ? undefined : Number(value);
}

function getLastSegment(pathname: string): string {
	return unescape(pathname.split('/').at(-1) ?? '') || 'Imported file';
}

function hasVoice(store: Store, voiceId: string): boolean {
	return store.voices.some((voice) => voice.voiceId === voiceId);
}

function assetNotFound(id: string): ServiceResponse {
	return problemResponse(404, `There is no asset ${id}.`);
}

function unknownVoice(voiceId: string): ServiceResponse {
	return problemResponse(422, 'One or more fields are not valid.', {
		errors: { voiceId: [`There is no voice ${voiceId}.`] },
	});
}
