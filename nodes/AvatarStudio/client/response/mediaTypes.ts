/** Media types of the files a video and speech service handles, by extension, most common first. */
const MEDIA_TYPES: Record<string, string[]> = {
	mp3: ['audio/mpeg', 'audio/mp3'],
	m4a: ['audio/mp4', 'audio/x-m4a'],
	aac: ['audio/aac'],
	flac: ['audio/flac', 'audio/x-flac'],
	ogg: ['audio/ogg'],
	opus: ['audio/opus'],
	wav: ['audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave'],
	mp4: ['video/mp4'],
	mov: ['video/quicktime'],
	webm: ['video/webm', 'audio/webm'],
	gif: ['image/gif'],
	jpg: ['image/jpeg', 'image/jpg'],
	jpeg: ['image/jpeg'],
	png: ['image/png'],
	svg: ['image/svg+xml'],
	webp: ['image/webp'],
	pdf: ['application/pdf'],
	zip: ['application/zip'],
};

/** @returns the extension for a media type, without a dot, or undefined */
export function getExtensionForType(mediaType: string): string | undefined {
	return Object.keys(MEDIA_TYPES).find((extension) => MEDIA_TYPES[extension]?.includes(mediaType));
}

/** @returns 'audio', 'video', 'image' or 'application', or undefined for an unknown extension */
export function getKindForExtension(extension: string): string | undefined {
	return getTypeForExtension(extension.replace(/^\./, ''))?.split('/')[0];
}

/** @returns the most common media type for an extension without a dot, or undefined */
export function getTypeForExtension(extension: string): string | undefined {
	return MEDIA_TYPES[extension.toLowerCase()]?.[0];
}
