import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../client/client';
import { fetchSharedRecords, type ListEndpoint } from '../client/list';
import { UserError } from '../errors/userError';
import { listFirst, quote, shorten } from '../errors/values';

import { assertShort, normalize, normalizeAccented, toText } from './texts';

export interface Described {
	/** Empty if the record has none: then it cannot be found. */
	id: string;
	label: string;
}

/** Records of one resource, as names and messages need them. */
interface NamedRecords {
	label: string;
	idField: string;
	describe: (record: IDataObject) => Described;
	hint: string;
}

interface Named {
	record: IDataObject;
	id: string;
	accented: string;
	plain: string;
}

const lists = new WeakMap<IDataObject[], Named[]>();

/** Computed once for all items that use a list. */
function getNamed(records: IDataObject[], idField: string): Named[] {
	const toNamed = (record: IDataObject): Named => {
		const name = toText(record.name);
		const forms = { accented: normalizeAccented(name), plain: normalize(name) };
		return { record, id: toText(record[idField]), ...forms };
	};
	const named = lists.get(records) ?? records.map(toNamed);
	lists.set(records, named);
	return named;
}

/**
 * @returns the record whose ID a text is, else those whose name it is: with the same accents if there
 *   are any. A text may leave accents out, but not change them: "Resumé" is not "Résumé".
 */
export function findRecords(
	records: IDataObject[],
	text: string,
	{ idField }: NamedRecords,
	isWanted: (record: IDataObject) => boolean = () => true,
): IDataObject[] {
	const all = getNamed(records, idField);
	const wanted = normalizeAccented(text);
	const withId = all.filter(({ id }) => id === text);
	// A text of invisible characters would be the name of what has none.
	const named =
		wanted === '' ? [] : all.filter((it) => it.accented === wanted || it.plain === wanted);
	const exact = named.filter(({ accented }) => accented === wanted);
	const choices = [withId.slice(0, 1), exact, named].map((choice) =>
		choice.map(({ record }) => record).filter(isWanted),
	);
	return choices.find(({ length }) => length > 0) ?? [];
}

/**
 * @param matches the records that a text may stand for
 * @returns the ID of the only one
 * @throws UserError that lists up to five with their IDs if they are several, or else the records with
 *   a similar name
 */
export function getOnlyId(
	matches: IDataObject[],
	records: IDataObject[],
	text: string,
	{ label, idField, describe, hint }: NamedRecords,
): string {
	const described = matches.map(describe).filter(({ id }) => id !== '');
	const distinct = [...new Map(described.map((match) => [match.id, match])).values()];
	const [first] = distinct;
	const noun = label.toLowerCase();
	if (first && distinct.length === 1) return first.id;
	if (first) {
		throw new UserError(
			`${label} ${quote(text)} matches ${distinct.length} ${noun}s`,
			`Enter the ID of one. Matches: ${listRecords(distinct)}.`,
		);
	}
	const similar = listRecords(findSimilar(getNamed(records, idField), text).map(describe));
	throw new UserError(
		`${label} ${quote(text)} matches no ${noun}`,
		similar === '' ? hint : `${hint} Similar: ${similar}.`,
	);
}

/** @returns the records whose name contains the text, or what is before its comma */
function findSimilar(named: Named[], text: string): IDataObject[] {
	const wanted = normalize(text.split(',')[0]!);
	const similar = named.filter(({ plain }) => wanted !== '' && plain.includes(wanted));
	similar.sort((one, other) => one.plain.indexOf(wanted) - other.plain.indexOf(wanted));
	return similar.map(({ record }) => record);
}

export function listRecords(records: Described[]): string {
	return listFirst(records, ({ id, label }) => `${shorten(label)} (${shorten(id)})`);
}

const found = new WeakMap<IDataObject[], Map<string, Promise<string>>>();

/**
 * Creates the function that finds what a text stands for among the records of a list, which all items
 * of a node run share, as they share what was found.
 *
 * @returns a function that throws UserError if the text is too long, before the list is read
 */
export function findInList(
	list: ListEndpoint,
	mode: string,
	find: (records: IDataObject[], text: string) => string,
) {
	return async (text: string, client: Client): Promise<string> => {
		assertShort(text);
		const records = await fetchSharedRecords(client, list);
		const known = found.get(records) ?? new Map<string, Promise<string>>();
		found.set(records, known);
		const key = `${mode} ${text}`;
		const id = known.get(key) ?? Promise.resolve().then(() => find(records, text));
		known.set(key, id);
		return await id;
	};
}
