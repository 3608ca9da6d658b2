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
];

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
	mkv: /^video\/matroska$/,
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
 * @param start the first bytes of a file: 16 are enough
 * @param stated its media type in lower case without parameters, '' if none is stated
 * @returns the stated type if it is of audio, an image or video; else what the first bytes show; else the
 *   stated type, if it says anything
 */
export function detectFormat(start: Uint8Array, stated: string): FileFormat {
	const text = Buffer.from(start.subarray(0, 16)).toString('latin1');
	const detected = SIGNATURES.find((signature) => signature.start.test(text));
	// Some servers label all that they send as a page, as JSON or as something unknown.
	if (detected && !isAudioImageOrVideo(stated)) return detected;
	const isStated = !/^$|octet-stream|binary|download/.test(stated);
	if (!isStated) return { type: '', extension: '' };
	return { type: stated, extension: getTypeExtension(stated) || (detected?.extension ?? '') };
}

function isAudioImageOrVideo(type: string): boolean {
	const kind = getMediaKind(type) ?? getMediaKind(getTypeExtension(type));
	return kind !== undefined && kind !== 'other';
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
