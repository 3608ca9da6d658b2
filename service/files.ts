import { getContentType, getExtension, getFileName, sampleFiles } from './assets';
import { respondToOpenLink } from './openLinks';
import type { RenderingOptions } from './rendering';
import type { RecordedRequest } from './requests';
import {
	fileResponse,
	problemResponse,
	takeRange,
	type GeneratedContent,
	type ServiceResponse,
} from './responses';
import type { SignedUrls } from './signedUrls';
import type { Store } from './store';

/** A block of varied bytes, which files without content of their own consist of. */
const BLOCK = Buffer.from(
	Uint8Array.from({ length: 64 * 1024 }, (_, index) => (index * 31 + (index >> 8)) & 0xff),
);

/**
 * Responds as the files host: with files behind signed links, with videos and pictures behind links that
 * are not signed, and with /sized/{bytes}.
 */
export function handleFileRequest(
	{ headers, method, path, query, violations }: RecordedRequest,
	store: Store,
	signedUrls: SignedUrls,
	rendering: RenderingOptions,
): ServiceResponse {
	if (headers['x-api-key'] !== undefined) {
		violations.push('The API key was sent to the files host.');
		return problemResponse(400, 'The files host takes no API key.');
	}
	if (method !== 'GET' && method !== 'HEAD') {
		return problemResponse(405, 'The files host is read-only.');
	}
	const [, bytes] = /^\/sized\/(\d+)$/.exec(path) ?? [];
	if (bytes) return fileResponse(generate(Number(bytes)), 'application/octet-stream', 'sized.bin');

	const open = respondToOpenLink(path, store, rendering);
	if (open) return open.status === 200 ? takeRange(open, headers.range) : open;
	const error = signedUrls.findError(path, query);
	if (error) return problemResponse(403, error);
	const file = findFile(path, store);
	return file ? takeRange(file, headers.range) : problemResponse(404, 'The file is gone.');
}

function findFile(path: string, store: Store): ServiceResponse | undefined {
	const [, folder, id = '', extension = ''] = /^\/(\w+)\/(.+?)(\.\w+)$/.exec(path) ?? [];
	if (folder === 'speeches' || folder === 'voices') {
		return fileResponse(sampleFiles.speech, 'audio/wav', `${id}.wav`);
	}
	if (folder === 'videos') {
		const video = store.videos.find((candidate) => candidate.id === id);
		return fileResponse(sampleFiles.greeting, 'video/mp4', `${video?.videoTitle ?? id}.mp4`);
	}
	const asset = store.findAsset(id);
	if (!asset || extension !== getExtension(asset)) return undefined;
	const content = asset.content ?? generate(asset.size ?? 0);
	const response = fileResponse(content, getContentType(asset), getFileName(asset));
	return { ...response, headers: { ...response.headers, ...asset.fileHeaders } };
}

function generate(size: number): GeneratedContent {
	return {
		size,
		*chunks() {
			for (let left = size; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, left);
		},
	};
}
