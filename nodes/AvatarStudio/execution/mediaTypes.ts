/** Media types, extensions and file names of each kind; `other` is none of the three. */
const KINDS = Object.entries({
	audio: /^audio\/|(^|\.)(aac|aiff?|amr|au|caf|flac|m4a|mp3|oga|ogg|opus|wav|weba|wma)$/i,
	image: /^image\/|(^|\.)(avif|bmp|gif|hei[cf]|ico|jfif|jpe?g|png|svg|tiff?|webp)$/i,
	video: /^video\/|(^|\.)(3gp|avi|flv|m2ts|m4v|mkv|mov|mp4|mpe?g|mts|ogv|webm|wmv)$/i,
	other: /(^|[./])(csv|html?|json|m3u8|mpd|pdf|srt|txt|vtt|zip)$/i,
});

/** What the first bytes of a file say for which no type is stated, and what n8n names badly. */
const FORMATS: { type: string; extension: string; start?: RegExp }[] = [
	{ type: 'audio/mpeg', extension: 'mp3', start: /^(ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/ },
	{ type: 'audio/aac', extension: 'aac', start: /^\xff[\xf1\xf9]/ },
	{ type: 'audio/wav', extension: 'wav', start: /^RIFF[^]{4}WAVE/ },
	{ type: 'audio/flac', extension: 'flac', start: /^fLaC/ },
	{ type: 'audio/ogg', extension: 'ogg', start: /^OggS/ },
	{ type: 'audio/mp4', extension: 'm4a', start: /^[^]{4}ftypM4A/ },
	{ type: 'video/mp4', extension: 'mp4', start: /^[^]{4}ftyp(?!avif|hei|mif1|qt)/ },
	{ type: 'video/webm', extension: 'webm', start: /^[^]E\xdf\xa3/ },
	{ type: 'audio/l16', extension: 'pcm' },
	{ type: 'audio/pcm', extension: 'pcm' },
	{ type: 'audio/basic', extension: 'au' },
	{ type: 'video/quicktime', extension: 'mov' },
];

/** @returns the stated media type, else the one by the first bytes, and its extension; '' if unknown */
export function detectFormat(start: Uint8Array, stated: string) {
	const isUnknown = /^$|octet-stream|binary|download/.test(stated);
	const text = Buffer.from(start.subarray(0, 16)).toString('latin1');
	const known = FORMATS.find((it) => (isUnknown ? it.start?.test(text) : it.type === stated));
	if (known) return known;
	const name = stated.replace(/^.*\/(x-)?/, '');
	return { type: isUnknown ? '' : stated, extension: getMediaKind(name) ? name : '' };
}

/** @returns the extension of a file name in lower case without its dot, or ''; no number is one */
export function getExtension(name: string): string {
	return /\.(?=\d*[a-z])([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** @returns 'audio', 'image', 'video' or 'other' for a media type, an extension or a file name */
export function getMediaKind(sign: unknown): string | undefined {
	return KINDS.find(([, pattern]) => typeof sign === 'string' && pattern.test(sign))?.[0];
}
