import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

import { createUuid } from './uuids';

/** An asset as the service stores it. */
export interface Asset {
	id: string;
	name: string;
	type?: string;
	/** File extension with a leading dot. Default '.bin'. */
	extension?: string;
	originalFileUrl?: string | null;
	/** Default: the content type of the extension. */
	contentType?: string;
	content?: Buffer;
	/** Size in bytes of a generated file, for an asset without content. Default 0. */
	size?: number;
	/** Headers that override those of the file's response; null omits one. */
	fileHeaders?: Record<string, string | null>;
}

const contentTypes: Record<string, string> = {
	'.png': 'image/png',
	'.jpg': 'image/jpeg',
	'.jpeg': 'image/jpeg',
	'.gif': 'image/gif',
	'.webp': 'image/webp',
	'.svg': 'image/svg+xml',
	'.mp4': 'video/mp4',
	'.webm': 'video/webm',
	'.wav': 'audio/wav',
	'.mp3': 'audio/mpeg',
	'.txt': 'text/plain',
	'.pdf': 'application/pdf',
};

export const sampleFiles = {
	portrait: readSample('portrait.png'),
	backdrop: readSample('backdrop.svg'),
	greeting: readSample('greeting.mp4'),
	chime: readSample('chime.wav'),
	melody: readSample('melody.wav'),
	speech: readSample('speech.wav'),
};

const sampleAssets: Asset[] = [
	{ name: 'Avatar portrait', type: 'Image', extension: '.png', content: sampleFiles.portrait },
	{ name: 'Calm backdrop', type: 'Image', extension: '.svg', content: sampleFiles.backdrop },
	{ name: 'Greeting', type: 'Video', extension: '.mp4', content: sampleFiles.greeting },
	{ name: 'Chime', type: 'Audio', extension: '.wav', content: sampleFiles.chime },
	{ name: 'Short melody', type: 'Music', extension: '.wav', content: sampleFiles.melody },
].map((asset) => ({ id: createUuid(`stock ${asset.name}`), ...asset }));

export function createSampleAssets(): Asset[] {
	return sampleAssets.map((asset) => ({ ...asset }));
}

export function createNumberedAssets(count: number, first: number): Asset[] {
	return Array.from({ length: count }, (_, index) => ({
		id: createUuid(`numbered asset ${first + index}`),
		name: `Asset ${String(first + index).padStart(5, '0')}`,
		type: 'Image',
		extension: '.png',
		size: 1_024,
	}));
}

export function getExtension({ extension = '.bin' }: Asset): string {
	return extension;
}

export function getContentType(asset: Asset): string {
	return asset.contentType ?? contentTypes[getExtension(asset)] ?? 'application/octet-stream';
}

export function getFileName(asset: Asset): string {
	const extension = getExtension(asset);
	return asset.name.toLowerCase().endsWith(extension) ? asset.name : asset.name + extension;
}

/** The extension of a file from its content type or, if that is unknown, from its URL path. */
export function chooseExtension(contentType: string, path: string): string {
	const known = Object.entries(contentTypes).find(([, type]) => type === contentType)?.[0];
	return known ?? (extname(path).toLowerCase() || '.bin');
}

function readSample(name: string): Buffer {
	return readFileSync(join(__dirname, 'assets', name));
}
