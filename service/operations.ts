import { randomUUID } from 'node:crypto';
import { unescape } from 'node:querystring';

import { file, json, noContent, problem, text, type Answer } from './answers';
import { extensionFor, extensionOf, type Asset } from './asset';
import { fetchFile } from './fetchFile';
import { filePath } from './filesHost';
import type { Links } from './links';
import type { ResolvedOptions } from './options';
import { pageOf, shuffled } from './paging';
import { greetingVideo } from './seedAssets';
import { hummedScript } from './sound';
import type { Speech, Store, Video } from './store';
import { searchVoices } from './voices';

/** A request that kept the contract, on its way to its operation. */
export interface Call {
	/** Path parameter {id}; empty where the path has none. */
	id: string;
	query: Record<string, string>;
	body: Record<string, unknown>;
	options: ResolvedOptions;
	store: Store;
	links: Links;
	/** How many lists were asked for before: each shuffled one has another order. */
	listNumber: number;
}

type Operation = (call: Call) => Answer | Promise<Answer>;

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

function listAssets({ query, options, store, links, listNumber }: Call): Answer {
	const { paging, listedAssetFields } = options;
	const list = paging.order === 'shuffled' ? shuffled(store.assets, listNumber) : store.assets;
	const page = pageOf(
		list,
		{ page: integer(query.Page), pageSize: integer(query.PageSize) },
		paging,
	);
	if ('error' in page) return problem(400, page.error);
	return json({
		assets: page.items.map((asset) =>
			listedAssetFields === 'full'
				? fullAsset(asset, links, options)
				: { id: asset.id, name: asset.name },
		),
	});
}

function getAsset({ id, store, links, options }: Call): Answer {
	const asset = store.findAsset(id);
	return asset ? json(fullAsset(asset, links, options)) : noSuchAsset(id);
}

function updateAsset({ id, body, store }: Call): Answer {
	const asset = store.findAsset(id);
	if (!asset) return noSuchAsset(id);
	if (typeof body.name === 'string') asset.name = body.name;
	return json({ id });
}

function deleteAsset({ id, store }: Call): Answer {
	if (!store.findAsset(id)) return noSuchAsset(id);
	store.assets = store.assets.filter((asset) => asset.id !== id);
	return json({});
}

async function importAsset({ body, store, links, options }: Call): Promise<Answer> {
	const { name, fileUrl, type } = body as { name?: string; fileUrl?: string; type?: string };
	if (fileUrl === undefined) return problem(422, 'fileUrl is needed.');
	const fetched = await fetchFile(fileUrl, options.importLimits);
	if ('refusal' in fetched) return problem(422, fetched.refusal);
	const { pathname } = new URL(fileUrl);
	const asset: Asset = {
		id: randomUUID(),
		name: name ?? lastSegment(pathname),
		type,
		extension: extensionFor(fetched.contentType, pathname),
		originalFileUrl: fileUrl,
		...fetched,
	};
	store.assets = [...store.assets, asset];
	const { id, name: stored, url } = fullAsset(asset, links, options);
	return json({ id, name: stored, url, originalFileUrl: null });
}

function createSpeech({ body, store, links, options }: Call): Answer {
	const { voiceId = '', script = '' } = body as { voiceId?: string; script?: string };
	if (script.trim() === '') return problem(400, 'script is empty.');
	if (!hasVoice(store, voiceId)) return noSuchVoice(voiceId);
	const speech: Speech = { id: randomUUID(), voiceId, script };
	store.speeches = [...store.speeches, speech];
	const link = () => ({
		id: speech.id,
		voiceId,
		audioUrl: links.to(filePath('speeches', speech.id, '.wav'), options.linkLifetimeSeconds),
	});
	switch (options.speechAnswer) {
		case 'empty':
			return json({});
		case 'link':
			return json(link());
		case 'array':
			return json([link(), link()]);
		case 'audio':
			return file(hummedScript(script), 'audio/wav', `speech-${speech.id}.wav`);
		case 'text':
			return text(link().audioUrl);
		case 'noContent':
			return noContent();
	}
}

function listVoices({ query, store }: Call): Answer {
	return json({ voices: searchVoices(store.voices, query.query ?? '') });
}

function addApiKey({ body, store, options }: Call): Answer {
	store.providerKeys = [...store.providerKeys, body];
	return options.addApiKeyAnswer === 'empty' ? json({}) : noContent();
}

function createVideo({ body, store, links, options }: Call): Answer {
	const { voiceId, script } = body as { voiceId?: string; script?: string };
	if (script?.trim() === '') return problem(400, 'script is empty.');
	if (voiceId !== undefined && !hasVoice(store, voiceId)) return noSuchVoice(voiceId);
	const video: Video = { status: 'queued', ...body, id: randomUUID() };
	store.videos = [...store.videos, video];
	const { id, videoTitle, status } = video;
	const url = () => links.to(filePath('videos', id, '.mp4'), options.linkLifetimeSeconds);
	switch (options.videoAnswer) {
		case 'empty':
			return json({});
		case 'id':
			return json({ id, videoTitle, status });
		case 'link':
			return json({ id, videoTitle, status: 'completed', url: url() });
		case 'array':
			return json([
				{ id, videoTitle, status },
				{ id, url: url() },
			]);
		case 'text':
			return text(`Video ${id} is on its way.`);
		case 'noContent':
			return noContent();
		case 'file':
			return file(greetingVideo, 'video/mp4', `${videoTitle ?? id}.mp4`);
	}
}

function fullAsset(asset: Asset, links: Links, { linkLifetimeSeconds }: ResolvedOptions) {
	const extension = extensionOf(asset);
	return {
		id: asset.id,
		name: asset.name,
		url: links.to(filePath('assets', asset.id, extension), linkLifetimeSeconds),
		originalFileUrl: asset.originalFileUrl ?? null,
		extension,
	};
}

function integer(value: string | undefined): number | undefined {
	return value === undefined ? undefined : Number(value);
}

function lastSegment(pathname: string): string {
	return unescape(pathname.split('/').at(-1) ?? '') || 'Imported file';
}

function hasVoice(store: Store, voiceId: string): boolean {
	return store.voices.some((voice) => voice.voiceId === voiceId);
}

function noSuchAsset(id: string): Answer {
	return problem(404, `There is no asset ${id}.`);
}

function noSuchVoice(voiceId: string): Answer {
	return problem(422, 'One or more fields are not valid.', {
		errors: { voiceId: [`There is no voice ${voiceId}.`] },
	});
}
