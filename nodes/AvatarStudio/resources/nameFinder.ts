import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../client/client';
import { fetchSharedRecords, type ListEndpoint } from '../client/list';
import { UserError } from '../errors/userError';
import { quote } from '../errors/values';

import { listRecords, type Described } from './labels';
import { memoize, memoizeText } from './memoize';
import {
	compareTexts,
	divideWords,
	normalize,
	normalizeAccented,
	removeWords,
	toPhrase,
	toText,
} from './phrase';
import { assertShort, MAX_WORDS, parseSearch, toSearchWords } from './search';

/** How records of one resource are found by name. */
interface NamedRecords {
	/** What messages call one record. */
	record: string;
	/** What messages call the field. */
	label: string;
	idField: string;
	describe: (record: IDataObject) => Described;
	/**
	 * How well the words beside a name describe the record: the lower the better, Infinity if not at
	 * all. Without it, no other words may be given.
	 */
	rankDetails?: (record: IDataObject, words: string) => number;
	/** What to do if no record is found. */
	hint: string;
}

type Index = Map<string, IDataObject[]>;

/** Finds records of one resource by the names that users give them. */
export class NameFinder {
	private readonly describe: (record: IDataObject) => Described;
	private readonly byId: (records: IDataObject[]) => Index;
	private readonly byLabel: NameIndex;

	constructor(private readonly named: NamedRecords) {
		this.describe = memoize(named.describe);
		this.byId = createIndex((record) => [toText(record[named.idField])]);
		this.byLabel = createNameIndex((record, toForm) => {
			const { id, labels } = this.describe(record);
			return labels.flatMap((label) => [label, `${label} (${id})`]).map((it) => toForm(it));
		});
	}

	/**
	 * Finds the one record that a text names. It never guesses: a wrong voice costs money, and a
	 * wrong asset may be deleted.
	 *
	 * @param records the whole list
	 * @returns the ID of the record
	 * @throws UserError that lists up to five candidates with their IDs, if no record or several match
	 */
	find(records: IDataObject[], text: string): string {
		const { record, label, hint, rankDetails } = this.named;
		const matches = this.findAll(records, text);
		if (matches.length === 1) return matches[0]!.id;
		if (matches.length > 1) {
			const advice = rankDetails ? 'Enter more words, or the ID of one' : 'Enter the ID of one';
			throw new UserError(
				`${label} ${quote(text)} matches ${matches.length} ${record}s`,
				`${advice}. Matches: ${listRecords(matches)}.`,
			);
		}
		const similar = listRecords(this.findSimilar(records, text));
		throw new UserError(
			`${label} ${quote(text)} matches no ${record}`,
			similar === '' ? hint : `${hint} Similar: ${similar}.`,
		);
	}

	hasId(records: IDataObject[], id: string): boolean {
		return this.byId(records).has(id);
	}

	/**
	 * Finds the records that a text may stand for: those of which it is the ID or the whole name; else
	 * those of which it is the label; else those of which it contains the whole name and whose other
	 * fields its other words describe. In each case, those with the same accents come first.
	 */
	findAll(records: IDataObject[], text: string): Described[] {
		const wanted = normalizeAccented(text);
		// A text of invisible characters would be the name of what has none.
		if (wanted === '') return [];
		// Text of another form can only be a name or an ID.
		const mayBeLabel = / · |\)$/.test(wanted);
		const phrase = toPhrase(text, normalizeAccented);
		const lookUps = [
			() => [...lookUp(this.byId(records), text), ...lookUp(byName.exact(records), wanted)],
			() => lookUp(byName.loose(records), wanted),
			() => (mayBeLabel ? lookUp(this.byLabel.exact(records), wanted) : []),
			() => (mayBeLabel ? lookUp(this.byLabel.loose(records), wanted) : []),
			() => this.findByWords(records, phrase, byWords.exact),
			() => this.findByWords(records, phrase, byWords.loose),
		];
		for (const find of lookUps) {
			const matches = new Map(find().map((it) => [toText(it[this.named.idField]), it]));
			matches.delete('');
			if (matches.size > 0) return [...matches.values()].map(this.describe).sort(compareLabels);
		}
		return [];
	}

	private findByWords(
		records: IDataObject[],
		phrase: string,
		index: NameIndex['exact'],
	): IDataObject[] {
		const { rankDetails } = this.named;
		if (!rankDetails) return [];
		let best = Infinity;
		let matches: IDataObject[] = [];
		for (const words of listRuns(divideWords(phrase).split(' ').filter(Boolean))) {
			const rest = removeWords(phrase, words);
			if (rest === undefined) continue;
			for (const record of lookUp(index(records), words)) {
				const rank = rankDetails(record, normalize(rest));
				if (rank < best) matches = [];
				best = Math.min(best, rank);
				if (rank === best && rank < Infinity) matches.push(record);
			}
		}
		return matches;
	}

	/**
	 * @returns up to three records of whose names words are among those of the text, begin with them
	 *   or are close to them, the most similar first
	 */
	private findSimilar(records: IDataObject[], text: string): Described[] {
		const index = byWord(records);
		const search = parseSearch(text);
		const close = search.flatMap((word) => findClose(index, word));
		const scores = new Map(close.map((word) => [word, 1]));
		for (const word of search) scores.set(word, 2);
		const similar = [...search, ...close].flatMap((word) =>
			lookUp(index, word).slice(0, MAX_SIMILAR),
		);
		const getScore = (record: IDataObject) =>
			[...getNameWords(record)].reduce((sum, word) => sum + (scores.get(word) ?? 0), 0);
		return [...new Set(similar)]
			.slice(0, MAX_SIMILAR)
			.map((record) => ({ ...this.describe(record), score: getScore(record) }))
			.sort((one, other) => other.score - one.score || compareLabels(one, other))
			.filter(({ id }) => id !== '')
			.slice(0, MAX_LISTED_SIMILAR);
	}
}

/** Creates the function that builds an index of a list when it is first needed. */
function createIndex(getKeys: (record: IDataObject) => Iterable<string>) {
	return memoize((records: IDataObject[]): Index => groupBy(records, getKeys));
}

/** Indexes of a list by names: see `normalizeAccented`. No text with accents is in the loose one. */
type NameIndex = Record<'exact' | 'loose', (records: IDataObject[]) => Index>;

function createNameIndex(
	getKeys: (record: IDataObject, toForm: typeof normalize) => string[],
): NameIndex {
	return {
		exact: createIndex((record) => getKeys(record, normalizeAccented)),
		loose: createIndex((record) => getKeys(record, normalize)),
	};
}

/** Groups values by their keys, of which each may have several. */
function groupBy<T>(values: Iterable<T>, getKeys: (value: T) => Iterable<string>) {
	const groups = new Map<string, T[]>();
	for (const value of values) {
		for (const key of getKeys(value)) {
			const group = groups.get(key) ?? [];
			group.push(value);
			groups.set(key, group);
		}
	}
	return groups;
}

const getNameWords = ({ name }: IDataObject) => toSearchWords(toText(name));
const byName = createNameIndex(({ name }, toForm) => [toForm(toText(name))]);
const byWords = createNameIndex(({ name }, toForm) => [
	divideWords(toPhrase(toText(name), toForm)),
]);
const byWord = createIndex(getNameWords);
/** The words of an index by their first letter: hardly any slip is in that. */
const groupWords = memoize((index: Index) => groupBy(index.keys(), (word) => [word.charAt(0)]));

function lookUp(index: Index, key: string): IDataObject[] {
	return index.get(key) ?? [];
}

/** @returns every sequence of up to ten of the words; of all lengths, there would be the square of them */
function listRuns(words: string[]): Set<string> {
	const runs = words.flatMap((_, start) =>
		words
			.slice(start, start + MAX_WORDS)
			.map((_word, index) => words.slice(start, start + index + 1).join(' ')),
	);
	return new Set(runs);
}

/** More similar records than anybody looks at; the cost of a message grows with them. */
const MAX_SIMILAR = 50;
const MAX_LISTED_SIMILAR = 3;

/** @returns words of the index that begin with a word or, if it is no number, are close to it */
function findClose(index: Index, word: string): string[] {
	const mayBeSlip = !/\d/.test(word);
	return (groupWords(index).get(word.charAt(0)) ?? [])
		.filter((other) => other.startsWith(word) || (mayBeSlip && isClose(other, word)))
		.slice(0, MAX_SIMILAR);
}

/** @returns whether words with the same first letter differ in two neighbouring characters at most, as after a slip */
function isClose(one: string, other: string): boolean {
	// Most words differ at both ends.
	if (one[1] !== other[1] && one.at(-1) !== other.at(-1)) return false;
	const length = Math.max(one.length, other.length);
	const shared = Math.min(one.length, other.length);
	let start = 0;
	while (start < shared && one[start] === other[start]) start++;
	let end = 0;
	while (end < shared - start && one.at(-1 - end) === other.at(-1 - end)) end++;
	return shared > 3 && length - start - end <= 2;
}

function compareLabels({ labels: [one = ''] }: Described, { labels: [other = ''] }: Described) {
	return compareTexts(one, other);
}

/**
 * Creates the function that finds what a text stands for among the records of a list, which all items
 * of a node run share. If that fails, the next attempt of Retry On Fail reads the list again.
 *
 * @returns a function that throws UserError if the text is too long, before the list is read
 */
export function findInList(
	list: ListEndpoint,
	find: (records: IDataObject[], text: string) => string,
) {
	// Many items ask for the same, and an error takes as long as a result.
	const findOnce = memoize((records: IDataObject[]) =>
		memoizeText(async (text) => await Promise.resolve().then(() => find(records, text))),
	);
	return async (text: string, client: Client): Promise<string> => {
		assertShort(text);
		const records = await fetchSharedRecords(client, list);
		return await findOnce(records)(text);
	};
}
