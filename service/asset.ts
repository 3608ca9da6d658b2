import { extname } from 'node:path';

/** An asset as the service keeps it. Only id and name are needed; the rest has a default. */
export interface Asset {
	id: string;
	name: string;
	/** The kind it was imported as. */
	type?: string;
	/** File extension with a leading dot. */
	extension?: string;
	originalFileUrl?: string | null;
	contentType?: string;
	/** The stored file. */
	content?: Buffer;
	/** Without content: the file is made up while it is sent, with so many bytes. */
	size?: number;
	/** Headers of the file's answer that replace the usual ones; null leaves one out. */
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

/** Extension of an asset's file, with a leading dot. */
export function getExtension({ extension }: Asset): string {
	return extension ?? '.bin';
}

/** Content type of an asset's file. */
export function getContentType(asset: Asset): string {
	return asset.contentType ?? contentTypes[getExtension(asset)] ?? 'application/octet-stream';
}

/** Name under which an asset's file is saved. */
export function getFileName(asset: Asset): string {
	const extension = getExtension(asset);
	return asset.name.toLowerCase().endsWith(extension) ? asset.name : asset.name + extension;
}

/** The extension that a file at an address has: by its content type, or else by its path. */
export function chooseExtension(contentType: string, path: string): string {
	const known = Object.entries(contentTypes).find(([, type]) => type === contentType)?.[0];
	return known ?? (extname(path).toLowerCase() || '.bin');
}
