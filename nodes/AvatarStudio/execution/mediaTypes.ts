/**
 * The extensions of files by their media type, the most common first. What an extension stands for
 * is the first type that lists it. `x-` may precede any subtype.
 */
const EXTENSIONS = new Map<string, string[]>([
	['audio/aac', ['aac']],
	['audio/aiff', ['aiff', 'aif']],
	['audio/amr', ['amr']],
	['audio/x-caf', ['caf']],
	['audio/flac', ['flac']],
	['audio/mpeg', ['mp3']],
	['audio/mp3', ['mp3']],
	['audio/ogg', ['ogg', 'oga', 'opus']],
	['audio/opus', ['opus']],
	['audio/wav', ['wav']],
	['audio/wave', ['wav']],
	['audio/vnd.wave', ['wav']],
	['audio/x-ms-wma', ['wma']],
	['image/avif', ['avif']],
	['image/bmp', ['bmp']],
	['image/x-ms-bmp', ['bmp']],
	['image/gif', ['gif']],
	['image/heic', ['heic']],
	['image/heif', ['heif', 'heic']],
	['image/x-icon', ['ico']],
	['image/jpeg', ['jpg', 'jpeg', 'jfif']],
	['image/jpg', ['jpg', 'jpeg', 'jfif']],
	['image/png', ['png']],
	['image/svg+xml', ['svg']],
	['image/tiff', ['tif', 'tiff']],
	['image/webp', ['webp']],
	['video/3gpp', ['3gp']],
	['video/mp2t', ['ts', 'mts', 'm2ts']],
	['video/mp4', ['mp4', 'm4v']],
	['video/m4v', ['m4v']],
	['video/mpeg', ['mpg', 'mpeg']],
	['video/quicktime', ['mov']],
	['video/ogg', ['ogv']],
	['video/x-flv', ['flv']],
	['video/webm', ['webm']],
	['video/x-matroska', ['mkv']],
	['video/x-ms-wmv', ['wmv']],
	['video/x-msvideo', ['avi']],
	['audio/mp4', ['m4a', 'mp4']],
	['audio/m4a', ['m4a']],
	['audio/webm', ['weba', 'webm']],
	['application/json', ['json']],
	['application/pdf', ['pdf']],
	['application/vnd.apple.mpegurl', ['m3u8']],
	['application/x-mpegurl', ['m3u8']],
	['application/zip', ['zip']],
	['text/csv', ['csv']],
	['text/html', ['html', 'htm', 'xhtml']],
	['text/vtt', ['vtt']],
	['text/plain', ['txt', 'csv', 'log', 'md', 'srt', 'vtt']],
]);

/** @returns whether a media type says nothing about the file, so that its name decides */
export function isGenericType(mediaType: string): boolean {
	return /^$|octet-stream$|^application\/(binary|force-download|unknown|x-download)$/.test(
		mediaType,
	);
}

/** @returns the extension at the end of a file name, without its dot, or '' */
export function getExtension(name: string): string {
	return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1] ?? '';
}

/** @returns the media type of the files with an extension, or undefined if it is not known */
export function getTypeForExtension(extension: string): string | undefined {
	const wanted = extension.toLowerCase();
	return [...EXTENSIONS.keys()].find((type) => EXTENSIONS.get(type)?.includes(wanted));
}

/** @returns the extensions of a media type without a dot, the most common first */
export function getExtensions(mediaType: string): string[] {
	return EXTENSIONS.get(mediaType) ?? EXTENSIONS.get(mediaType.replace('/x-', '/')) ?? [];
}

/** @returns whether files of a media type have this extension; of a generic one, any known */
export function isExtensionOf(extension: string, mediaType: string): boolean {
	if (isGenericType(mediaType)) return getTypeForExtension(extension) !== undefined;
	return getExtensions(mediaType).includes(extension.toLowerCase());
}

/**
 * @param signs media types, and extensions or file names, in the order in which they decide
 * @returns what a file is: 'audio', 'image' or 'video'; 'application' or 'text', if it is a web
 *   page, JSON or, by its extension, another file; undefined if none of them is known
 */
export function getMediaKind(...signs: unknown[]): string | undefined {
	for (const sign of signs) {
		const text = typeof sign === 'string' ? sign.trim().toLowerCase() : '';
		const kind =
			/^(audio|image|video|text(?=\/html)|application(?=\/json))\//.exec(text)?.[1] ??
			getTypeForExtension(getExtension(text) || text)?.split('/')[0];
		if (kind !== undefined) return kind;
	}
	return undefined;
}
