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
	removeAccents,
	removeWords,
	toPhrase,
	toText,
} from './phrase';
import { assertShort, MAX_WORDS, parseSearch, scoreWord, toSearchWords } from './search';

/** How records of one resource are found by name. */
interface NamedRecords {
	/** What the editor calls one record, and the field. */
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

/** A record that a text may stand for: the lower its rank the better, Infinity if not at all. */
interface RankedRecord {
	record: IDataObject;
	rank: number;
}

/** Behind every rank of details: a name with the same accents comes first. */
export const WITHOUT_ACCENTS = 10;

/** A hint is not worth the second that the words of a long list take. */
const MAX_SUGGESTIBLE = 2_000;
const MAX_LISTED_SIMILAR = 3;

/** Finds records of one resource by the names that users give them. */
export class NameFinder {
	private readonly describe = memoize((record: IDataObject) => this.named.describe(record));
	private readonly byId = memoize(
		(records: IDataObject[]) =>
			new Map(records.map((record) => [toText(record[this.named.idField]), record])),
	);

	constructor(private readonly named: NamedRecords) {}

	/**
	 * Finds the one record that a text names. It never guesses: a wrong voice costs money, and a
	 * wrong asset may be deleted.
	 *
	 * @param records the whole list
	 * @returns the ID of the record
	 * @throws UserError that lists up to five candidates with their IDs, if no record or several match
	 */
	find(records: IDataObject[], text: string): string {
		const { label, hint, rankDetails } = this.named;
		const record = label.toLowerCase();
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

	/**
	 * Finds the records that a text may stand for: those of which it is the ID or the whole name; else
	 * those of which it is the label; else those of which it contains the whole name and whose other
	 * fields its other words describe. In each case, those with the same accents come first.
	 */
	findAll(records: IDataObject[], text: string): (Described & Pick<RankedRecord, 'rank'>)[] {
		// A text of invisible characters would be the name of what has none.
		if (normalizeAccented(text) === '') return [];
		const steps = [
			() => this.matchTitle(records, text),
			() => this.matchLabel(records, text),
			() => this.matchWords(records, toPhrase(text, normalizeAccented)),
		];
		for (const match of steps) {
			const matches = match()
				.map(({ record, rank }) => ({ ...this.describe(record), rank }))
				.filter(({ id, rank }) => id !== '' && rank < Infinity)
				.sort(
					(one, other) => one.rank - other.rank || compareTexts(one.labels[0]!, other.labels[0]!),
				);
			const best = matches.filter(({ rank }) => rank === matches[0]!.rank);
			if (best.length > 0) return [...new Map(best.map((each) => [each.id, each])).values()];
		}
		return [];
	}

	/** @returns the records of which a text is the ID or the whole name */
	private matchTitle(records: IDataObject[], text: string): RankedRecord[] {
		const record = this.byId(records).get(text);
		const named = matchName(records, normalizeAccented(text));
		return record ? [{ record, rank: 0 }, ...named] : named;
	}

	/** Labels are compared only of records whose name or ID the text begins with: there may be 100,000. */
	private matchLabel(records: IDataObject[], text: string): RankedRecord[] {
		const titles = [...text.matchAll(/\s[·(]/g)].map(({ index }) => text.slice(0, index));
		return titles
			.flatMap((title) => this.matchTitle(records, title))
			.map(({ record }) => {
				const { id, labels } = this.describe(record);
				const texts = labels.flatMap((label) => [label, `${label} (${id})`]);
				return { record, rank: rankTexts(texts, normalizeAccented(text)) };
			});
	}

	private matchWords(records: IDataObject[], phrase: string): RankedRecord[] {
		const { rankDetails } = this.named;
		if (!rankDetails) return [];
		return listRuns(divideWords(phrase).split(' ').filter(Boolean)).flatMap((words) => {
			const rest = removeWords(phrase, words);
			if (rest === undefined) return [];
			return matchNameWords(records, words).map(({ record, rank }) => ({
				record,
				rank: rank + rankDetails(record, normalize(rest)),
			}));
		});
	}

	/**
	 * @returns up to three records of whose names words are among those of the text, begin with them
	 *   or are close to them, the most similar first
	 */
	private findSimilar(records: IDataObject[], text: string): Described[] {
		const search = parseSearch(text);
		return records
			.slice(0, MAX_SUGGESTIBLE)
			.map((record) => ({ record, score: scoreSimilar(record, search) }))
			.filter(({ score }) => score > 0)
			.sort((one, other) => other.score - one.score)
			.slice(0, MAX_LISTED_SIMILAR)
			.map(({ record }) => this.describe(record))
			.filter(({ id }) => id !== '');
	}
}

/** @param wanted a text in the form of `normalizeAccented` */
function rankTexts(texts: string[], wanted: string): number {
	if (texts.some((text) => normalizeAccented(text) === wanted)) return 0;
	return texts.some((text) => normalize(text) === wanted) ? WITHOUT_ACCENTS : Infinity;
}

/** Creates the function that finds the records of which a text is this one, with or without accents. */
function createMatcher(getText: (record: IDataObject) => string) {
	const index = memoize((records: IDataObject[]) => {
		const groups = new Map<string, IDataObject[]>();
		for (const record of records) {
			const accented = normalizeAccented(getText(record));
			for (const key of [accented, removeAccents(accented)]) {
				const group = groups.get(key);
				if (!group) groups.set(key, [record]);
				else if (group.at(-1) !== record) group.push(record);
			}
		}
		return groups;
	});
	return (records: IDataObject[], wanted: string): RankedRecord[] =>
		(index(records).get(wanted) ?? []).map((record) => ({
			record,
			rank: rankTexts([getText(record)], wanted),
		}));
}

const matchName = createMatcher(({ name }) => toText(name));
const matchNameWords = createMatcher(({ name }) =>
	divideWords(toPhrase(toText(name), normalizeAccented)),
);

/** @returns every sequence of up to ten of the words; of all lengths, there would be the square of them */
function listRuns(words: string[]): string[] {
	const runs = words.flatMap((_, start) =>
		words
			.slice(start, start + MAX_WORDS)
			.map((_word, index) => words.slice(start, start + index + 1).join(' ')),
	);
	return [...new Set(runs)];
}

const getWords = memoize(({ name }: IDataObject) => toSearchWords(toText(name)));

/** Beside what a search finds, a word that is no number may be close to one of the name. */
function scoreSimilar(record: IDataObject, search: string[]): number {
	const words = getWords(record);
	const isSlip = (word: string) =>
		!/\d/.test(word) && [...words].some((other) => isClose(other, word));
	return search
		.map((word) => scoreWord(words, word) || Number(isSlip(word)))
		.reduce((sum, score) => sum + score, 0);
}

/** @returns whether words with the same first letter differ in two neighbouring characters at most, as after a slip */
function isClose(one: string, other: string): boolean {
	const length = Math.max(one.length, other.length);
	const shared = Math.min(one.length, other.length);
	let start = 0;
	while (start < shared && one[start] === other[start]) start++;
	let end = 0;
	while (end < shared - start && one.at(-1 - end) === other.at(-1 - end)) end++;
	return start > 0 && shared > 3 && length - start - end <= 2;
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
