import { getContentType, getExtension, getFileName } from './asset';
import type { RecordedRequest } from './recordedRequest';
import {
	fileResponse,
	problemResponse,
	type ServiceResponse,
	type SizedContent,
} from './responses';
import { greetingVideo } from './seedAssets';
import type { SignedUrls } from './signedUrls';
import { synthesizeSpeech } from './sound';
import type { Store } from './store';

const block = Buffer.from(
	Uint8Array.from({ length: 64 * 1024 }, (_, index) => (index * 31 + (index >> 8)) & 0xff),
);

/** Path of a stored file on the files host. */
export function buildFilePath(
	kind: 'assets' | 'speeches' | 'videos',
	id: string,
	ending: string,
): string {
	return `/${kind}/${id}${ending}`;
}

/** What the files host answers: files behind signed links, and /sized/{bytes}. */
export function handleFileRequest(
	record: RecordedRequest,
	store: Store,
	links: SignedUrls,
): ServiceResponse {
	if (record.headers['x-api-key'] !== undefined) {
		record.violations.push('The API key was sent to the files host.');
		return problemResponse(400, 'The files host takes no API key.');
	}
	if (record.method !== 'GET' && record.method !== 'HEAD') {
		return problemResponse(405, 'The files host only reads.');
	}
	const sized = /^\/sized\/(\d+)$/.exec(record.path);
	if (sized)
		return fileResponse(generateContent(Number(sized[1])), 'application/octet-stream', 'sized.bin');

	const refusal = links.findError(record.path, record.query);
	if (refusal) return problemResponse(403, refusal);
	return findStoredFile(record.path, store) ?? problemResponse(404, 'The file is gone.');
}

function findStoredFile(path: string, store: Store): ServiceResponse | undefined {
	const [, kind, name = ''] = path.split('/');
	const id = name.replace(/\..*$/, '');
	if (kind === 'speeches') {
		const speech = store.speeches.find((candidate) => candidate.id === id);
		return speech && fileResponse(synthesizeSpeech(speech.script), 'audio/wav', `speech-${id}.wav`);
	}
	if (kind === 'videos') {
		const video = store.videos.find((candidate) => candidate.id === id);
		return video && fileResponse(greetingVideo, 'video/mp4', `${video.videoTitle ?? id}.mp4`);
	}
	const asset = store.findAsset(id);
	if (!asset || name !== id + getExtension(asset)) return undefined;
	const content = asset.content ?? generateContent(asset.size ?? 0);
	const answer = fileResponse(content, getContentType(asset), getFileName(asset));
	return { ...answer, headers: { ...answer.headers, ...asset.fileHeaders } };
}

function generateContent(size: number): SizedContent {
	return {
		size,
		*chunks() {
			for (let left = size; left > 0; left -= block.length) {
				yield left < block.length ? block.subarray(0, left) : block;
			}
		},
	};
}
