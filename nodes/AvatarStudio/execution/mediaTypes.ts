/** What files are by their extensions. */
const KINDS = Object.entries({
	audio: /^(aac|aif|aiff|amr|au|caf|flac|m4a|mp3|oga|ogg|opus|wav|weba|wma)$/,
	image: /^(avif|bmp|gif|heic|heif|ico|jfif|jpeg|jpg|png|svg|tif|tiff|webp)$/,
	video: /^(3gp|avi|flv|m2ts|m4v|mkv|mov|mp4|mpeg|mpg|mts|ogv|ts|webm|wmv)$/,
	application: /^(json|m3u8|pdf|zip)$/,
	text: /^(csv|htm|html|log|md|srt|txt|vtt)$/,
});

/** The extensions of media types, without "x-", that do not end with it, or not with the usual one. */
const EXTENSIONS = new Map([
	['audio/basic', 'au'],
	['audio/l16', 'pcm'],
	['audio/mp4', 'm4a'],
	['audio/mpeg', 'mp3'],
	['audio/mpga', 'mp3'],
	['audio/pcm', 'pcm'],
	['audio/vnd.wave', 'wav'],
	['audio/wave', 'wav'],
	['audio/webm', 'weba'],
	['image/jpeg', 'jpg'],
	['image/svg+xml', 'svg'],
	['text/plain', 'txt'],
	['video/3gpp', '3gp'],
	['video/matroska', 'mkv'],
	['video/mpeg', 'mpg'],
	['video/msvideo', 'avi'],
	['video/ogg', 'ogv'],
	['video/quicktime', 'mov'],
]);

/** What the first bytes of a file say, whatever media type is stated. */
const SIGNATURES: [start: RegExp, mediaType: string][] = [
	[/^RIFF[^]{4}WAVE/, 'audio/wav'],
	[/^fLaC/, 'audio/flac'],
	[/^ID3/, 'audio/mpeg'],
	[/^\x89PNG/, 'image/png'],
	[/^\xff\xd8\xff/, 'image/jpeg'],
	[/^GIF8/, 'image/gif'],
	[/^RIFF[^]{4}WEBP/, 'image/webp'],
];
/** What they say if none is: raw audio may begin like this, and a container may hold either kind. */
const LIKELY_SIGNATURES: typeof SIGNATURES = [
	[/^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/, 'audio/mpeg'],
	[/^\xff[\xf1\xf9]/, 'audio/aac'],
	[/^OggS/, 'audio/ogg'],
	[/^[^]{4}ftypM4A/, 'audio/mp4'],
	[/^[^]{4}ftyp(?!avif|heic|mif1|qt)/, 'video/mp4'],
	[/^[^]E\xdf\xa3/, 'video/webm'],
];

/** @returns whether a media type says nothing about the file, so that its content or name decides */
export function isGenericType(mediaType: string): boolean {
	return /^$|octet-stream$|^application\/(binary|force-download|unknown|x-download)$/.test(
		mediaType,
	);
}

/**
 * @param start the first bytes of a file
 * @param stated its media type, if one is known
 * @returns the media type by its content, else the stated one
 */
export function detectType(start: Uint8Array, stated = ''): string {
	const text = Buffer.from(start.subarray(0, 16)).toString('latin1');
	const known = isGenericType(stated) ? [...SIGNATURES, ...LIKELY_SIGNATURES] : SIGNATURES;
	return known.find(([pattern]) => pattern.test(text))?.[1] ?? stated;
}

/** @returns the extension at the end of a file name, in lower case without its dot, or '' */
export function getExtension(name: string): string {
	return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** @returns the usual extension of a media type, without a dot, or undefined if it is not known */
export function getExtensionForType(mediaType: string): string | undefined {
	const type = mediaType.replace('/x-', '/');
	const [kind, name = ''] = type.split('/');
	return EXTENSIONS.get(type) ?? (getMediaKind(name) === kind ? name : undefined);
}

/** @returns whether files of a media type may have this extension; of a generic one, any known */
export function fitsType(extension: string, mediaType: string): boolean {
	const kind = getMediaKind(extension);
	if (kind === undefined || isGenericType(mediaType)) return kind !== undefined;
	return mediaType.startsWith(`${kind}/`) || mediaType.endsWith(`/${extension}`);
}

/**
 * @param signs media types, and extensions or file names, in the order in which they decide
 * @returns what a file is: 'audio', 'image' or 'video'; 'application' or 'text', if it is a web
 *   page, JSON or, by its extension, another file; undefined if none of them is known
 */
export function getMediaKind(...signs: unknown[]): string | undefined {
	for (const sign of signs) {
		const text = typeof sign === 'string' ? sign.trim().toLowerCase() : '';
		const [, kind] = /^(audio|image|video|text(?=\/html)|application(?=\/json))\//.exec(text) ?? [];
		const extension = getExtension(text) || text;
		const found = kind ?? KINDS.find(([, pattern]) => pattern.test(extension))?.[0];
		if (found !== undefined) return found;
	}
	return undefined;
}
