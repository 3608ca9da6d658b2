import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../client/client';
import type { ListEndpoint } from '../client/list';
import { UserError } from '../errors/userError';
import { listFirst, MAX_LISTED_VALUES, quote, shorten } from '../errors/values';

import { compareTexts, divideWords, normalize, removeWords, toPhrase } from './phrase';
import { parseSearch, scoreWord, toSearchWords } from './search';

const MAX_TEXT_LENGTH = 200;

/** How records of one resource are found by name. */
interface NamedRecords {
	/** What messages call one record. */
	record: string;
	/** What messages call the field. */
	label: string;
	describe: (record: IDataObject) => Described;
	/**
	 * Creates the function that says how well the words beside a name describe the record: the lower
	 * the better, Infinity if not. Without it, no other words may be given.
	 */
	createRanking?: () => (record: IDataObject, words: string) => number;
	/** What to do if no record is found. */
	hint: string;
}

/** What users know of a record. */
export interface Described {
	/** Empty if the record has none: then it cannot be found. */
	id: string;
	name: string;
	/** Labels in one line, each more exact than the one before. */
	labels: string[];
	/** Other texts to search by. */
	details: string[];
}

/** What is compared of a record, computed once however many items compare it. */
interface Candidate extends Described {
	normalizedName: string;
	/** The words of the name. */
	words: string;
	/** The labels, normalized, with and without the ID. */
	printed: string[];
	nameWords: Set<string>;
	otherWords: Set<string>;
}

/** Finds records of one resource by the names that users give them. */
export class NameFinder {
	private readonly named: NamedRecords;
	private readonly prepare: (record: IDataObject) => Candidate;

	constructor(named: NamedRecords) {
		this.named = named;
		this.prepare = memoize((record) => toCandidate(named.describe(record)));
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
		const { record, label, hint, createRanking } = this.named;
		const matches = this.findAll(records, text);
		if (matches.length === 1) return matches[0]!.id;
		if (matches.length > 1) {
			const advice = createRanking ? 'Enter more words, or the ID of one' : 'Enter the ID of one';
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
	 * fields its other words describe.
	 */
	findAll(records: IDataObject[], text: string): Described[] {
		const wanted = normalize(text);
		const phrase = toPhrase(text);
		const rankDetails = this.named.createRanking?.() ?? (() => Infinity);
		const getRank = (record: IDataObject, candidate: Candidate): number => {
			const { id, normalizedName, printed, words } = candidate;
			if (id === text || normalizedName === wanted) return 0;
			if (printed.includes(wanted)) return 1;
			const rest = words === '' ? undefined : removeWords(phrase, words);
			return rest === undefined ? Infinity : 2 + rankDetails(record, rest);
		};
		let best = Infinity;
		const matches = new Map<string, Candidate>();
		for (const record of records) {
			const candidate = this.prepare(record);
			const rank = candidate.id === '' ? Infinity : getRank(record, candidate);
			if (rank < best) matches.clear();
			best = Math.min(best, rank);
			if (rank === best && rank < Infinity) matches.set(candidate.id, candidate);
		}
		return [...matches.values()].sort(compareLabels);
	}

	/** @returns the records that share words with the text, the most similar first */
	private findSimilar(records: IDataObject[], text: string): Described[] {
		const search = parseSearch(text);
		return records
			.map(this.prepare)
			.filter(({ id }) => id !== '')
			.map((candidate) => ({ candidate, score: scoreSimilarity(candidate, search) }))
			.filter(({ score }) => score > 0)
			.sort(
				(one, other) => other.score - one.score || compareLabels(one.candidate, other.candidate),
			)
			.map(({ candidate }) => candidate);
	}
}

function toCandidate(described: Described): Candidate {
	const { id, name, labels, details } = described;
	return {
		...described,
		normalizedName: normalize(name),
		words: divideWords(toPhrase(name)),
		printed: [...labels, ...labels.map((label) => `${label} (${id})`)].map(normalize),
		nameWords: toSearchWords(name),
		otherWords: toSearchWords(...details),
	};
}

/** A word of the name counts twice, because many voices share a language. */
function scoreSimilarity({ nameWords, otherWords }: Candidate, search: string[]): number {
	const scores = search.map((word) =>
		Math.max(2 * scoreWord(nameWords, word), scoreWord(otherWords, word)),
	);
	return scores.reduce((sum, score) => sum + score, 0);
}

function compareLabels({ labels: [one = ''] }: Described, { labels: [other = ''] }: Described) {
	return compareTexts(one, other);
}

/**
 * Chooses a label for each record, so that no two look alike if that is possible.
 *
 * @param choices the labels of each record, each more exact than the one before
 */
export function labelDistinctly(choices: string[][]): string[] {
	const counts = new Map<string, number>();
	for (const labels of choices) {
		for (const label of new Set(labels.map(normalize))) {
			counts.set(label, (counts.get(label) ?? 0) + 1);
		}
	}
	return choices.map(
		(labels) => labels.find((label) => counts.get(normalize(label)) === 1) ?? labels.at(-1)!,
	);
}

/** @returns the labels of a record for a list, the last of which nothing else has */
export function getListLabels({ labels, id }: Pick<Described, 'labels' | 'id'>): string[] {
	return [...labels, `${labels.at(-1)} (${id})`];
}

/** Lists up to five records with their IDs, for messages. */
export function listRecords(records: Described[]): string {
	const labels = labelDistinctly(
		records.slice(0, MAX_LISTED_VALUES).map((record) => record.labels),
	);
	return listFirst(records, ({ id }, index) => `${shorten(labels[index]!)} (${shorten(id)})`);
}

/**
 * Compares a text with the records of a list, which all items of a node run share. If that fails,
 * the next attempt of Retry On Fail reads the list again.
 *
 * @throws UserError if the text is too long, before the list is read
 */
export async function findInList<T>(
	client: Client,
	list: ListEndpoint,
	text: string,
	find: (records: IDataObject[]) => T,
): Promise<T> {
	assertShort(text);
	return await client
		.sharedRecords(list)
		.then(find)
		.catch(async (error: unknown) => {
			if (client.context.getNode().retryOnFail) await client.forgetSharedRecords(list);
			throw error;
		});
}

/** @throws UserError if comparing the text with every record of a list would take too long */
export function assertShort(text: string): void {
	if (text.length <= MAX_TEXT_LENGTH) return;
	throw new UserError(
		`${quote(text)} is too long to search for`,
		`Enter ${MAX_TEXT_LENGTH} characters or less.`,
	);
}

/** Computes something of a record, or of a list, once, however many texts are compared with it. */
export function memoize<Source extends object, T>(compute: (source: Source) => T) {
	const results = new WeakMap<Source, { value: T }>();
	return (source: Source): T => {
		const known = results.get(source) ?? { value: compute(source) };
		results.set(source, known);
		return known.value;
	};
}
