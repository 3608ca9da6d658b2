import { file, problem, type Answer, type SizedContent } from './answers';
import { contentTypeOf, extensionOf, fileNameOf } from './asset';
import type { Links } from './links';
import type { RecordedRequest } from './recordedRequest';
import { greetingVideo } from './seedAssets';
import { hummedScript } from './sound';
import type { Store } from './store';

const block = Buffer.from(
	Uint8Array.from({ length: 64 * 1024 }, (_, index) => (index * 31 + (index >> 8)) & 0xff),
);

/** Path of a stored file on the files host. */
export function filePath(
	kind: 'assets' | 'speeches' | 'videos',
	id: string,
	ending: string,
): string {
	return `/${kind}/${id}${ending}`;
}

/** What the files host answers: files behind signed links, and /sized/{bytes}. */
export function answerFile(record: RecordedRequest, store: Store, links: Links): Answer {
	if (record.headers['x-api-key'] !== undefined) {
		record.breaches.push('The API key was sent to the files host.');
		return problem(400, 'The files host takes no API key.');
	}
	if (record.method !== 'GET' && record.method !== 'HEAD') {
		return problem(405, 'The files host only reads.');
	}
	const sized = /^\/sized\/(\d+)$/.exec(record.path);
	if (sized) return file(madeUp(Number(sized[1])), 'application/octet-stream', 'sized.bin');

	const refusal = links.refusal(record.path, record.query);
	if (refusal) return problem(403, refusal);
	return storedFile(record.path, store) ?? problem(404, 'The file is gone.');
}

function storedFile(path: string, store: Store): Answer | undefined {
	const [, kind, name = ''] = path.split('/');
	const id = name.replace(/\..*$/, '');
	if (kind === 'speeches') {
		const speech = store.speeches.find((candidate) => candidate.id === id);
		return speech && file(hummedScript(speech.script), 'audio/wav', `speech-${id}.wav`);
	}
	if (kind === 'videos') {
		const video = store.videos.find((candidate) => candidate.id === id);
		return video && file(greetingVideo, 'video/mp4', `${video.videoTitle ?? id}.mp4`);
	}
	const asset = store.findAsset(id);
	if (!asset || name !== id + extensionOf(asset)) return undefined;
	const content = asset.content ?? madeUp(asset.size ?? 0);
	const answer = file(content, contentTypeOf(asset), fileNameOf(asset));
	return { ...answer, headers: { ...answer.headers, ...asset.fileHeaders } };
}

function madeUp(size: number): SizedContent {
	return {
		size,
		*chunks() {
			for (let left = size; left > 0; left -= block.length) {
				yield left < block.length ? block.subarray(0, left) : block;
			}
		},
	};
}
