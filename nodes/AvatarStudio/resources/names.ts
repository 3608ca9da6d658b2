import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../client/client';
import { fetchSharedRecords, type ListEndpoint } from '../client/list';
import { UserError } from '../errors/userError';
import { listFirst, quote, shorten } from '../errors/values';

import { assertShort, normalize, normalizeAccented, toText } from './texts';

/** What users know of a record. */
export interface Described {
	/** Empty if the record has none: then it cannot be found. */
	id: string;
	/** In one line. */
	label: string;
}

/** Records of one resource, as names and messages need them. */
interface NamedRecords {
	/** What the editor calls one record, and the field. */
	label: string;
	idField: string;
	describe: (record: IDataObject) => Described;
	/** What to do if no record is found. */
	hint: string;
}

/** The records of a list by their IDs, and by their names with and without accents. */
interface Index {
	byId: Map<string, IDataObject>;
	byName: Map<string, IDataObject[]>;
}

const indexes = new WeakMap<IDataObject[], Index>();

/** Computed once for all items that use a list. */
function getIndex(records: IDataObject[], idField: string): Index {
	const known = indexes.get(records);
	if (known) return known;
	const byId = new Map(records.map((record) => [toText(record[idField]), record]));
	const byName: Index['byName'] = new Map();
	for (const record of records) {
		const name = toText(record.name);
		for (const key of new Set([normalizeAccented(name), normalize(name)])) {
			const named = byName.get(key);
			if (named) named.push(record);
			else byName.set(key, [record]);
		}
	}
	const index = { byId, byName };
	indexes.set(records, index);
	return index;
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
	const { byId, byName } = getIndex(records, idField);
	const record = byId.get(text);
	if (record && isWanted(record)) return [record];
	const wanted = normalizeAccented(text);
	// A text of invisible characters would be the name of what has none.
	const named = wanted === '' ? [] : (byName.get(wanted) ?? []).filter(isWanted);
	const exact = named.filter(({ name }) => normalizeAccented(toText(name)) === wanted);
	return exact.length > 0 ? exact : named;
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
	const similar = listRecords(findSimilar(records, text, idField).map(describe));
	throw new UserError(
		`${label} ${quote(text)} matches no ${noun}`,
		similar === '' ? hint : `${hint} Similar: ${similar}.`,
	);
}

/** @returns the records whose name contains the text, or what is before its comma; else none */
function findSimilar(records: IDataObject[], text: string, idField: string): IDataObject[] {
	const wanted = normalize(text.split(',')[0]!);
	const similar: [at: number, named: IDataObject[]][] = [];
	for (const [name, named] of getIndex(records, idField).byName) {
		const at = wanted === '' ? -1 : name.indexOf(wanted);
		if (at >= 0) similar.push([at, named]);
	}
	similar.sort(([one], [other]) => one - other);
	return [...new Set(similar.flatMap(([, named]) => named))];
}

/** Lists up to five records with their IDs, for messages. */
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
