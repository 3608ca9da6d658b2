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

/** A record that a text may stand for: the lower its rank the better, Infinity if not at all. */
interface Match {
	record: IDataObject;
	rank: number;
}

/** Behind every rank of details: a name with the same accents comes first. */
const WITHOUT_ACCENTS = 10;

/** More similar records than anybody looks at; the cost of a message grows with them. */
const MAX_SIMILAR = 20;
const MAX_LISTED_SIMILAR = 3;

/** Finds records of one resource by the names that users give them. */
export class NameFinder {
	private readonly describe: (record: IDataObject) => Described;
	private readonly byId: Index;
	private readonly matchLabel: Matcher;

	constructor(private readonly named: NamedRecords) {
		this.describe = memoize(named.describe);
		this.byId = createIndex((record) => [toText(record[named.idField])]);
		this.matchLabel = createMatcher((record) => {
			const { id, labels } = this.describe(record);
			return labels.flatMap((label) => [label, `${label} (${id})`]);
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
		const withId = (this.byId(records).get(text) ?? []).map((record) => ({ record, rank: 0 }));
		const steps = [
			() => [...withId, ...matchName(records, wanted)],
			// Text of another form can only be a name or an ID.
			() => (/ · |\)$/.test(wanted) ? this.matchLabel(records, wanted) : []),
			() => this.matchWords(records, toPhrase(text, normalizeAccented)),
		];
		for (const match of steps) {
			const matches = match()
				.map(({ record, rank }) => ({ ...this.describe(record), rank }))
				.filter(({ id, rank }) => id !== '' && rank < Infinity)
				.sort((one, other) => one.rank - other.rank || compareLabels(one, other));
			const best = matches.filter(({ rank }) => rank === matches[0]!.rank);
			if (best.length > 0) return [...new Map(best.map((each) => [each.id, each])).values()];
		}
		return [];
	}

	private matchWords(records: IDataObject[], phrase: string): Match[] {
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
		// A word of a name is close to itself as well, so it counts twice.
		const words = [...search, ...search.flatMap((word) => findClose(records, word))];
		const counts = new Map<IDataObject, number>();
		for (const word of words) {
			for (const record of (byWord(records).get(word) ?? []).slice(0, MAX_SIMILAR)) {
				counts.set(record, (counts.get(record) ?? 0) + 1);
			}
		}
		return [...counts]
			.sort(([, one], [, other]) => other - one)
			.slice(0, MAX_LISTED_SIMILAR)
			.map(([record]) => this.describe(record))
			.filter(({ id }) => id !== '');
	}
}

/** Groups values by their keys, of which each may have several. */
function groupBy<T>(values: Iterable<T>, getKeys: (value: T) => Iterable<string>) {
	const groups = new Map<string, T[]>();
	for (const value of values) {
		for (const key of getKeys(value)) {
			const group = groups.get(key) ?? [];
			if (group.at(-1) !== value) group.push(value);
			groups.set(key, group);
		}
	}
	return groups;
}

/** Builds an index of a list when it is first needed. */
type Index = (records: IDataObject[]) => Map<string, IDataObject[]>;

function createIndex(getKeys: (record: IDataObject) => Iterable<string>): Index {
	return memoize((records: IDataObject[]) => groupBy(records, getKeys));
}

/** @param wanted a text in the form of `normalizeAccented` */
type Matcher = (records: IDataObject[], wanted: string) => Match[];

/** Creates the function that finds the records of which a text is one of these, or one without accents. */
function createMatcher(getTexts: (record: IDataObject) => string[]): Matcher {
	const index = createIndex((record) =>
		getTexts(record).flatMap((text) => [normalizeAccented(text), normalize(text)]),
	);
	return (records, wanted) =>
		(index(records).get(wanted) ?? []).map((record) => {
			const isExact = getTexts(record).some((text) => normalizeAccented(text) === wanted);
			return { record, rank: isExact ? 0 : WITHOUT_ACCENTS };
		});
}

const matchName = createMatcher(({ name }) => [toText(name)]);
const matchNameWords = createMatcher(({ name }) => [
	divideWords(toPhrase(toText(name), normalizeAccented)),
]);

/** @returns every sequence of up to ten of the words; of all lengths, there would be the square of them */
function listRuns(words: string[]): string[] {
	const runs = words.flatMap((_, start) =>
		words
			.slice(start, start + MAX_WORDS)
			.map((_word, index) => words.slice(start, start + index + 1).join(' ')),
	);
	return [...new Set(runs)];
}

const byWord = createIndex(({ name }) => toSearchWords(toText(name)));
/** The words of names by their first letter: hardly any slip is in that. */
const groupWords = memoize((records: IDataObject[]) =>
	groupBy(byWord(records).keys(), (word) => [word.charAt(0)]),
);

/** @returns words of names that begin with a word or, if it is no number, are close to it */
function findClose(records: IDataObject[], word: string): string[] {
	const mayBeSlip = !/\d/.test(word);
	return (groupWords(records).get(word.charAt(0)) ?? [])
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
