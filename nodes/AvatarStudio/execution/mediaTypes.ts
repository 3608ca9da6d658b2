/** What files are by their extensions; `other` is none of the three. */
const KINDS = Object.entries({
	audio: /^(aac|aif|aiff|amr|au|caf|flac|m4a|mp3|oga|ogg|opus|pcm|wav|weba|wma)$/,
	image: /^(avif|bmp|gif|heic|heif|ico|jfif|jpeg|jpg|png|svg|tif|tiff|webp)$/,
	video: /^(3gp|avi|flv|m2ts|m4v|mkv|mov|mp4|mpeg|mpg|mts|ogv|ts|webm|wmv)$/,
	other: /^(csv|htm|html|json|log|m3u8|md|pdf|srt|txt|vtt|zip)$/,
});

/** The extensions of media types, without "x-", that do not end with it. */
const EXTENSIONS = new Map([
	['audio/basic', 'au'],
	['audio/l16', 'pcm'],
	['audio/mp4', 'm4a'],
	['audio/mpeg', 'mp3'],
	['audio/mpga', 'mp3'],
	['audio/vnd.wave', 'wav'],
	['audio/wave', 'wav'],
	['audio/webm', 'weba'],
	['image/svg+xml', 'svg'],
	['text/plain', 'txt'],
	['video/matroska', 'mkv'],
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

/** @returns the media type of a file by its first bytes, else the stated one */
export function detectType(start: Uint8Array, stated: string): string {
	const text = Buffer.from(start.subarray(0, 16)).toString('latin1');
	const known = isGenericType(stated) ? [...SIGNATURES, ...LIKELY_SIGNATURES] : SIGNATURES;
	return known.find(([pattern]) => pattern.test(text))?.[1] ?? stated;
}

/** @returns the extension at the end of a file name, in lower case without its dot, or '' */
export function getExtension(name: string): string {
	return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** @returns the usual extension of a media type, without a dot, or '' if it is not known */
export function getExtensionForType(mediaType: string): string {
	const type = mediaType.replace('/x-', '/');
	const name = type.replace(/^.*\//, '');
	return EXTENSIONS.get(type) ?? (getMediaKind(name) ? name : '');
}

/**
 * @param signs media types, and extensions or file names, in the order in which they decide
 * @returns what a file is: 'audio', 'image', 'video', or 'other' if it is known to be none of them
 */
export function getMediaKind(...signs: unknown[]): string | undefined {
	for (const sign of signs) {
		const text = typeof sign === 'string' ? sign.trim().toLowerCase() : '';
		const [, kind] = /^(audio|image|video)\//.exec(text) ?? [];
		const extension = getExtension(text) || text.replace(/^(application|text)\//, '');
		const found = kind ?? KINDS.find(([, pattern]) => pattern.test(extension))?.[0];
		if (found !== undefined) return found;
	}
	return undefined;
}
