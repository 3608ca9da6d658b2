import { removeFullStop } from '../errors/formatText';

import { getExtension, getMediaKind, isExtensionOf } from './mediaTypes';
import { toTitle } from './title';

/** What a file may be called. */
export interface FileName {
	text: string;
	/** What the service says that its extension is, if it says so apart from the name. */
	extension?: string;
	/** Whether the host or the link of the file gives this name, perhaps to every file. */
	isOfHost?: boolean;
}

/** A file system allows 255 bytes: three for each of these characters, and the rest for a number and an extension. */
const MAX_NAME_LENGTH = 80;
/** The words of names that a host gives to all files alike. */
const GENERIC_WORDS =
	/^(?:(?:asset|attachment|audio|avatar|blob|clip|content|copy|data|default|document|download|export|file|final|generated|get|hd|image|img|index|master|media|movie|mp3|mp4|object|original|output|photo|picture|play|playback|raw|recording|render|rendered|response|result|sample|sd|sound|source|speech|stream|talk|talkingphoto|temp|tmp|track|tts|uhd|unknown|untitled|video|voice|voiceover|wav|watermark|watermarked|webm)s?)?\d{0,4}p?$/i;
/** The extensions of files that nobody knows the format of. */
const SAYS_NOTHING = /^(bin|dat|tmp)$/;

/**
 * Whose word counts:
 * - The name is the first that tells the file from others. A host's `video.mp4` does not, but an ID does,
 *   and so does what the user or the service calls the file.
 * - The extension is that of the format, as the service writes it. If the format is unknown, it is the
 *   first that anybody states, one of audio, images and video before others.
 *
 * @param names in order of preference
 * @param extension of the format, '' if it is unknown
 * @param sameStart extensions of other formats that begin with the same bytes: see `FileFormat`
 * @returns a plain name, because one from outside may try to leave the folder or to break a shell
 */
export function chooseFileName(names: FileName[], extension: string, sameStart?: RegExp): string {
	const tellsApart = ({ text, isOfHost }: FileName) =>
		sanitize(text) !== '' && !(isOfHost && isGeneric(text));
	const chosen = names.find(tellsApart)?.text ?? names.find(({ text }) => sanitize(text))?.text;
	const base = chosen === undefined ? 'file' : sanitize(chosen);
	const stated = names.flatMap((name) => listExtensions(name, extension));
	return setExtension(base, chooseExtension(stated, extension, sameStart));
}

/** A host may name audio by the extension of the videos in the same container, which says less than the format. */
function listExtensions({ text, extension = '', isOfHost }: FileName, ofFormat: string): string[] {
	const stated = [
		getExtension(`.${extension.replace(/^\./, '')}`),
		getExtension(removeFullStop(text)),
	];
	const isAudio = getMediaKind(ofFormat) === 'audio';
	const mayCount = (it: string) => !(isOfHost && isAudio && getMediaKind(it) === 'video');
	return stated.filter((it) => it !== '' && mayCount(it));
}

function chooseExtension(stated: string[], ofFormat: string, sameStart?: RegExp): string {
	const fits = (it: string) => isExtensionOf(it, ofFormat) || sameStart?.test(it);
	if (ofFormat !== '') return stated.find(fits) ?? ofFormat;
	return stated.find((it) => getMediaKind(it) !== undefined) ?? stated[0] ?? '';
}

function setExtension(base: string, extension: string): string {
	const present = getExtension(base);
	if (extension === '' || present === extension) return base;
	// "Dr. Meyer" has no extension, and "photo.heic" has another one.
	const isExtension = getMediaKind(present) !== undefined || SAYS_NOTHING.test(present);
	const stem = isExtension ? removeFullStop(base.slice(0, -present.length - 1)) : base;
	return `${stem || 'file'}.${extension}`;
}

/** @returns whether every word of a name is one that hosts give to all files, or a short number */
function isGeneric(name: string): boolean {
	const extension = getExtension(name);
	const stem = extension === '' ? name : name.slice(0, -extension.length - 1);
	const words = stem.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').split(/[^\p{L}\p{N}]+/u);
	return words.every((word) => GENERIC_WORDS.test(word));
}

function sanitize(name: string): string {
	const plain = name
		.slice(0, MAX_NAME_LENGTH)
		.replace(/[\\/]/g, '-')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"<>:|?*$`;&'!(){}…]/gu, '');
	return removeFullStop(plain.replace(/^[-.\s]+/, ''));
}

/** @param body of the request that created a file: its title, or else the beginning of its script */
export function getCreatedName(body: unknown): FileName {
	const { videoTitle, videoName, script } = Object(body) as Record<string, unknown>;
	const texts = [videoTitle, videoName].filter((it) => typeof it === 'string');
	return { text: texts.find(Boolean) ?? (typeof script === 'string' ? toTitle(script) : '') };
}

/**
 * The names of the files of a run, or of a poll. No two are the same, in any case of letters: the next node
 * may store all files in one place.
 */
export class FileNames {
	/** The names in use, in lower case. */
	private readonly used = new Set<string>();
	/** How many files wanted each name, in lower case. */
	private readonly counts = new Map<string, number>();
	/** The name of each file that may be stored once more, by its owner and the key that the owner has for it. */
	private readonly known = new WeakMap<object, Map<string, string>>();

	/**
	 * @param wanted the name that the file would have alone
	 * @param owner the item that the file belongs to
	 * @param fileKey under which the owner gets the same name again if it stores the file once more
	 * @returns the name, with a number if another file has it: "Welcome (2).mp4"
	 */
	reserve(wanted: string, owner: object, fileKey?: string): string {
		if (fileKey === undefined) return this.findFree(wanted);
		const names = this.known.get(owner) ?? new Map<string, string>();
		this.known.set(owner, names);
		const key = `${fileKey} ${wanted}`;
		const name = names.get(key) ?? this.findFree(wanted);
		names.set(key, name);
		return name;
	}

	private findFree(wanted: string): string {
		const key = wanted.toLowerCase();
		let number = this.counts.get(key) ?? 0;
		let name: string;
		do {
			number++;
			name = number === 1 ? wanted : addNumber(wanted, number);
		} while (this.used.has(name.toLowerCase()));
		this.counts.set(key, number);
		this.used.add(name.toLowerCase());
		return name;
	}
}

function addNumber(name: string, number: number): string {
	const extension = getExtension(name);
	const end = extension === '' ? name.length : name.length - extension.length - 1;
	return `${name.slice(0, end)} (${number})${name.slice(end)}`;
}
