/** What media types, extensions and file names of each kind look like. */
const KINDS = Object.entries({
	audio: /^audio\/|(^|\.)(aac|aiff?|amr|au|caf|flac|m4a|m4b|mka|mp3|oga|ogg|opus|wav|weba|wma)$/i,
	image: /^image\/|(^|\.)(avif|bmp|gif|hei[cf]|ico|jfif|jpe?g|png|svg|tiff?|webp)$/i,
	video: /^video\/|(^|\.)(3g[p2]|avi|flv|m2ts|m4v|mkv|mov|mp4|mpe?g|mts|ogv|webm|wmv)$/i,
	other: /(^|[./])(csv|html?|json|m3u8|mpd|pdf|srt|txt|vtt|zip)$/i,
});

/** How a file is described: both are '' if they are unknown. */
export interface Format {
	/** Its media type. */
	type: string;
	/** In lower case, without a dot. */
	extension: string;
}

/** The formats of files whose type is not stated, by their first bytes. */
const SIGNATURES: (Format & { start: RegExp })[] = [
	{ type: 'audio/mpeg', extension: 'mp3', start: /^(ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/ },
	{ type: 'audio/aac', extension: 'aac', start: /^\xff[\xf1\xf9]/ },
	{ type: 'audio/wav', extension: 'wav', start: /^RIFF[^]{4}WAVE/ },
	{ type: 'audio/flac', extension: 'flac', start: /^fLaC/ },
	{ type: 'audio/ogg', extension: 'ogg', start: /^OggS/ },
	{ type: 'audio/aiff', extension: 'aiff', start: /^FORM[^]{4}AIF[FC]/ },
	{ type: 'audio/mp4', extension: 'm4a', start: /^[^]{4}ftypM4A/ },
	{ type: 'video/quicktime', extension: 'mov', start: /^[^]{4}ftypqt/ },
	{ type: 'video/mp4', extension: 'mp4', start: /^[^]{4}ftyp(?!avif|hei|mif1)/ },
	{ type: 'video/webm', extension: 'webm', start: /^[^]E\xdf\xa3/ },
];

/** The extensions of media types that end with another word, without `x-`, `pn-` and `vnd.`. */
const EXTENSIONS = new Map([
	['application/mp4', 'mp4'],
	['application/ogg', 'ogg'],
	['audio/3gpp', '3gp'],
	['audio/aacp', 'aac'],
	['audio/basic', 'au'],
	['audio/dlna.adts', 'aac'],
	['audio/hx-aac-adts', 'aac'],
	['audio/l16', 'pcm'],
	['audio/l24', 'pcm'],
	['audio/m4a-latm', 'm4a'],
	['audio/matroska', 'mka'],
	['audio/mp4', 'm4a'],
	['audio/mp4a-latm', 'm4a'],
	['audio/mpa', 'mp3'],
	['audio/mpeg', 'mp3'],
	['audio/mpeg-3', 'mp3'],
	['audio/mpeg3', 'mp3'],
	['audio/mpg', 'mp3'],
	['audio/ms-wma', 'wma'],
	['audio/pcm', 'pcm'],
	['audio/vorbis', 'ogg'],
	['audio/wave', 'wav'],
	['video/3gpp', '3gp'],
	['video/3gpp2', '3g2'],
	['video/matroska', 'mkv'],
	['video/mp4v-es', 'mp4'],
	['video/mp2t', 'm2ts'],
	['video/ms-wmv', 'wmv'],
	['video/msvideo', 'avi'],
	['video/ogg', 'ogv'],
	['video/quicktime', 'mov'],
]);

/**
 * @param start the first bytes of a file: 16 are enough
 * @param stated its media type in lower case without parameters, '' if none is stated
 * @returns the stated type, or the one by the first bytes if that says nothing, and its extension; each
 *   is '' if it is unknown
 */
export function detectFormat(start: Uint8Array, stated: string): Format {
	const text = Buffer.from(start.subarray(0, 16)).toString('latin1');
	const detected = SIGNATURES.find((signature) => signature.start.test(text));
	const isStated = !/^$|octet-stream|binary|download/.test(stated);
	if (!isStated) return detected ?? { type: '', extension: '' };
	return { type: stated, extension: getTypeExtension(stated) || (detected?.extension ?? '') };
}

/** @returns the extension of files of a media type, or '' if it is unknown */
export function getTypeExtension(type: string): string {
	const plain = type.replace(/\/(?:x-|pn-|vnd\.){1,3}/, '/');
	const name = plain.replace(/^.*\//, '');
	return EXTENSIONS.get(plain) ?? (getMediaKind(name) ? name : '');
}

/** @returns the extension of a file name in lower case without its dot, or ''; no number is one */
export function getExtension(name: string): string {
	return /\.(?=\d*[a-z])([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** @returns 'audio', 'image', 'video' or 'other' for a media type, an extension or a file name */
export function getMediaKind(sign: unknown): string | undefined {
	return KINDS.find(([, pattern]) => typeof sign === 'string' && pattern.test(sign))?.[0];
}
