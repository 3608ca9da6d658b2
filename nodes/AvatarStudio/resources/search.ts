import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../errors/requestError';

const MAX_CANDIDATES = 5;

/** How records of one resource are found by name. */
interface NamedRecords {
	/** What messages call one record. */
	record: string;
	/** What messages call the field. */
	label: string;
	/** The field that holds the ID. */
	idField: string;
	/** Whether the beginnings of words may match: not of assets, which may be deleted by their name. */
	matchesWords: boolean;
	/** The text whose words a search matches. */
	getSearchText: (record: IDataObject) => string;
	/** One line that distinguishes a record from the others, for messages. */
	formatLabel: (record: IDataObject) => string;
	/** What to do if no record is found. */
	hint: string;
}

/**
 * Finds the one record that a text names. It never guesses: a wrong voice costs money, and a wrong
 * asset may be deleted. The first of these rules that matches anything decides, and the order of
 * the list never does: the exact ID, the exact name, the name ignoring case and, if wanted, the
 * words of the text as beginnings of words of the record.
 *
 * @param records the whole list
 * @param text the ID, the name or words, not empty
 * @returns the ID of the record
 * @throws RequestError that lists up to five candidates with their IDs, if no record or several match
 */
export function findByName(records: IDataObject[], text: string, named: NamedRecords): string {
	const { record, label, idField, matchesWords, getSearchText, formatLabel, hint } = named;
	const usable = records.filter(({ [idField]: id }) => typeof id === 'string' && id !== '');
	const lowerCase = text.toLowerCase();
	const rules: ((candidate: IDataObject) => boolean)[] = [
		(candidate) => candidate[idField] === text,
		({ name }) => name === text,
		({ name }) => typeof name === 'string' && name.toLowerCase() === lowerCase,
		(candidate) =>
			matchesWords && /[\p{L}\p{N}]/u.test(text) && matchesSearch(getSearchText(candidate), text),
	];
	const getMatches = (rule: (candidate: IDataObject) => boolean) =>
		new Map(usable.filter(rule).map((candidate) => [candidate[idField] as string, candidate]));
	const matches = rules.map(getMatches).find(({ size }) => size > 0) ?? new Map<string, never>();
	const [[id] = [undefined]] = matches;
	if (id !== undefined && matches.size === 1) return id;

	if (id === undefined) {
		const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
		const similar = getMatches((candidate) =>
			words.some((word) => matchesSearch(getSearchText(candidate), word)),
		);
		throw new RequestError(
			`${label} "${text}" matches no ${record}`,
			`${hint} ${listCandidates('Similar', similar, formatLabel)}`.trim(),
		);
	}
	throw new RequestError(
		`${label} "${text}" matches ${matches.size} ${record}s`,
		`${matchesWords ? 'Enter more words, or the ID of one' : 'Enter the ID of one'}. ${listCandidates('Matches', matches, formatLabel)}`,
	);
}

function listCandidates(
	title: string,
	candidates: Map<string, IDataObject>,
	formatLabel: (record: IDataObject) => string,
): string {
	if (candidates.size === 0) return '';
	const lines = [...candidates].map(([id, record]) => `${formatLabel(record)} (${id})`).sort();
	const rest = lines.length > MAX_CANDIDATES ? `; and ${lines.length - MAX_CANDIDATES} more` : '';
	return `${title}: ${lines.slice(0, MAX_CANDIDATES).join('; ')}${rest}.`;
}

/** @returns whether each word of `search` starts a word of `text`: "male" does not match "female" */
export function matchesSearch(text: string, search: string): boolean {
	const words = splitWords(text);
	return splitWords(search).every((wanted) => words.some((word) => word.startsWith(wanted)));
}

function splitWords(text: string): string[] {
	return text
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
}

/** @returns the values that are text and not empty */
export function filterStrings(...values: unknown[]): string[] {
	return values.flat().filter((value) => typeof value === 'string' && value !== '') as string[];
}
