/** What media types, extensions and file names of each kind look like. */
const KINDS = Object.entries({
	audio: /^audio\/|(^|\.)(aac|aiff?|amr|au|caf|flac|m4a|m4b|mka|mp3|oga|ogg|opus|wav|weba|wma)$/i,
	image: /^image\/|(^|\.)(avif|bmp|gif|hei[cf]|ico|jfif|jpe?g|png|svg|tiff?|webp)$/i,
	video: /^video\/|(^|\.)(3g[p2]|avi|flv|m2ts|m4v|mkv|mov|mp4|mpe?g|mts|ogv|webm|wmv)$/i,
	other: /(^|[./])(csv|html?|json|m3u8|mpd|pdf|srt|txt|vtt|zip)$/i,
});

/** How a file is described: both are '' if they are unknown. */
export interface FileFormat {
	/** Its media type. */
	type: string;
	/** In lower case, without a dot. */
	extension: string;
	/**
	 * Extensions of other formats whose files begin with the same bytes. Set if no type is stated, because then
	 * only the name can tell them apart.
	 */
	sameStart?: RegExp;
}

/** The formats of files whose type is not stated, by their first bytes. */
const SIGNATURES: (FileFormat & { start: RegExp })[] = [
	{ type: 'audio/mpeg', extension: 'mp3', start: /^(ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/ },
	{ type: 'audio/aac', extension: 'aac', start: /^\xff[\xf1\xf9]/ },
	{ type: 'audio/wav', extension: 'wav', start: /^RIFF[^]{4}WAVE/ },
	{ type: 'audio/flac', extension: 'flac', start: /^fLaC/ },
	{ type: 'audio/ogg', extension: 'ogg', start: /^OggS/ },
	{ type: 'audio/aiff', extension: 'aiff', start: /^FORM[^]{4}AIF[FC]/ },
	{ type: 'audio/mp4', extension: 'm4a', start: /^[^]{4}ftypM4A/ },
	{ type: 'video/quicktime', extension: 'mov', start: /^[^]{4}ftypqt/ },
	{ type: 'video/mp4', extension: 'mp4', start: /^[^]{4}ftyp(?!avif|hei|mif1)/ },
	// The first byte is a control character, which a lint rule forbids in an expression.
	{ type: 'video/webm', extension: 'webm', start: /^[^]E\xdf\xa3/ },
	{ type: 'image/avif', extension: 'avif', start: /^[^]{4}ftypavif/ },
	{ type: 'image/heic', extension: 'heic', start: /^[^]{4}ftyp(hei|mif1)/ },
	{ type: 'image/jpeg', extension: 'jpeg', start: /^\xff\xd8\xff/ },
	{ type: 'image/png', extension: 'png', start: /^\x89PNG/ },
	{ type: 'image/gif', extension: 'gif', start: /^GIF8/ },
	{ type: 'image/webp', extension: 'webp', start: /^RIFF[^]{4}WEBP/ },
];

/** The extensions of formats whose files begin with the same bytes as another, by the extension of that one. */
const SAME_START: Record<string, RegExp> = {
	mp4: /^(3g[2p]|m4[ab]|mov)$/,
	ogg: /^ogv$/,
	webm: /^mk[av]$/,
};

/** How the files of a container are described if they hold only audio, by the extension of its videos. */
const AUDIO_FORMATS: Record<string, FileFormat> = {
	'3gp': { type: 'audio/3gpp', extension: '3gp' },
	m4v: { type: 'audio/mp4', extension: 'm4a' },
	mkv: { type: 'audio/x-matroska', extension: 'mka' },
	mov: { type: 'audio/mp4', extension: 'm4a' },
	mp4: { type: 'audio/mp4', extension: 'm4a' },
	mpeg: { type: 'audio/mpeg', extension: 'mp3' },
	mpg: { type: 'audio/mpeg', extension: 'mp3' },
	ogv: { type: 'audio/ogg', extension: 'ogg' },
	webm: { type: 'audio/webm', extension: 'weba' },
};

/** Other extensions of the same format, by the usual one. */
const ALIASES: Record<string, RegExp> = {
	'3gp': /^3g2$/,
	aiff: /^aif$/,
	heic: /^heif$/,
	jpeg: /^(jpg|jfif)$/,
	m4a: /^(m4b|mp4)$/,
	mp4: /^m4v$/,
	mpeg: /^mpg$/,
	mpg: /^mpeg$/,
	ogg: /^(oga|opus)$/,
	opus: /^og[ag]$/,
	tiff: /^tif$/,
	webm: /^weba$/,
};

/**
 * Media types that do not end with their extension. `getTypeExtension` removes `x-` and the like before.
 * Those by which n8n would name the file are unusual (findings/extension-of-a-type).
 */
const TYPES_BY_EXTENSION = Object.entries({
	'3gp': /^(audio|video)\/3gpp$/,
	aac: /^audio\/(aacp|dlna\.adts|hx-aac-adts)$/,
	au: /^audio\/basic$/,
	avi: /^video\/msvideo$/,
	m4a: /^audio\/(mp4|mp4a-latm|m4a-latm)$/,
	mka: /^audio\/matroska$/,
	mkv: /^(application|video)\/matroska$/,
	mov: /^video\/quicktime$/,
	mp3: /^audio\/(mpa|mpe?g-?3?)$/,
	mp4: /^(application\/mp4|video\/mp4v-es)$/,
	ogg: /^(application\/ogg|audio\/vorbis)$/,
	ogv: /^video\/ogg$/,
	pcm: /^audio\/(l16|l24|pcm)$/,
	wav: /^audio\/wave$/,
	wma: /^audio\/ms-wma$/,
	wmv: /^video\/ms-wmv$/,
});

/**
 * The types of audio, images and video are those that begin with these words: n8n shows no player for
 * another one, such as `application/mp4`, and the nodes of other services refuse it
 * (test/execution/fileNames.test.ts).
 *
 * @param start the first bytes of a file: 16 are enough
 * @param stated its media type in lower case without parameters, '' if none is stated
 * @returns the stated type if it is of audio, an image or video; else what the first bytes show; else the
 *   stated type, if it says anything, or the usual one of its extension
 */
export function detectFormat(start: Uint8Array, stated: string): FileFormat {
	const text = Buffer.from(start.subarray(0, 16)).toString('latin1');
	const detected = SIGNATURES.find((signature) => signature.start.test(text));
	const isMedia = /^(audio|image|video)\//.test(stated);
	// Some servers label all that they send as a page, as JSON or as something unknown.
	if (detected && !isMedia) return { ...detected, sameStart: SAME_START[detected.extension] };
	const isStated = !/^$|octet-stream|binary|download/.test(stated);
	if (!isStated) return { type: '', extension: '' };
	const extension = getTypeExtension(stated) || (detected?.extension ?? '');
	const usual = SIGNATURES.find((signature) => signature.extension === extension);
	return isMedia || !usual ? { type: stated, extension } : usual;
}

/** @returns a format as that of audio, which speech is even if its container is one of videos */
export function toAudioFormat(format: FileFormat): FileFormat {
	return AUDIO_FORMATS[format.extension] ?? format;
}

/** @returns whether files with an extension of videos may hold only audio */
export function mayHoldAudio(extension: string): boolean {
	return Object.hasOwn(AUDIO_FORMATS, extension);
}

/** @returns whether files of a format, which an extension names, may have another extension */
export function isExtensionOf(extension: string, formatExtension: string): boolean {
	return extension === formatExtension || ALIASES[formatExtension]?.test(extension) === true;
}

/** @returns the extension of files of a media type, or '' if it is unknown */
export function getTypeExtension(type: string): string {
	const plain = type.replace(/\/(?:x-|pn-|vnd\.){1,3}/, '/');
	const known = TYPES_BY_EXTENSION.find(([, pattern]) => pattern.test(plain))?.[0];
	const name = plain.replace(/^.*\//, '');
	return known ?? (getMediaKind(name) ? name : '');
}

/**
 * @returns the extension of a file name in lower case without its dot, or ''. Neither a number is one, nor
 *   the name in "Dr. Meyer" (findings/name-ends-in-an-extension)
 */
export function getExtension(name: string): string {
	return /\.(?=\d*[a-z])([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** @returns 'audio', 'image', 'video' or 'other' for a media type, an extension or a file name */
export function getMediaKind(sign: unknown): string | undefined {
	return KINDS.find(([, pattern]) => typeof sign === 'string' && pattern.test(sign))?.[0];
}
