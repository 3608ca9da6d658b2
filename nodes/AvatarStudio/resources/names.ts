import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../client/client';
import { fetchSharedRecords } from '../client/list';
import { listFirst, quote, shorten } from '../errors/formatText';
import { UserError } from '../errors/userError';
import type { Choice } from '../execution/picker';

import type { RecordType } from './recordType';
import { assertShort, normalize, normalizeAccented, toText } from './texts';

/** The records of a list: prepared once for all items of a node run. */
export interface NamedRecords {
	all: IDataObject[];
	byId: Map<string, IDataObject>;
	byName: Map<string, IDataObject[]>;
	idsByText: Map<string, Promise<string>>;
}

function prepare(records: IDataObject[], { describe }: RecordType): NamedRecords {
	const all = records.filter((record) => describe(record).id !== '');
	const byId = new Map(all.map((record) => [describe(record).id, record]));
	const byName = new Map<string, IDataObject[]>();
	for (const record of all) {
		const name = normalize(toText(record.name));
		const namesakes = byName.get(name) ?? [];
		namesakes.push(record);
		byName.set(name, namesakes);
	}
	// A text of invisible characters would be the name of what has none.
	byName.delete('');
	return { all, byId, byName, idsByText: new Map() };
}

const isAny: (record: IDataObject) => boolean = () => true;

/**
 * @returns the record whose ID a text is, else those whose name it is: with the same accents if
 *   there are any. A text may leave accents out, but not change them: "Resumé" is not "Résumé".
 */
export function findNamed(named: NamedRecords, text: string, isWanted = isAny) {
	const withId = named.byId.get(text);
	if (withId && isWanted(withId)) return [withId];
	const [accented, plain] = [normalizeAccented(text), normalize(text)];
	const namesakes = (named.byName.get(plain) ?? []).filter(isWanted);
	const exact = namesakes.filter(({ name }) => normalizeAccented(toText(name)) === accented);
	return exact.length > 0 || accented !== plain ? exact : namesakes;
}

/** @throws UserError that lists the matches with their IDs if they are several, or similar names */
function getOnlyId(matches: IDataObject[], text: string, named: NamedRecords, type: RecordType) {
	const choices = new Map(matches.map(type.describe).map((match) => [match.id, match]));
	const [id = ''] = choices.keys();
	if (choices.size === 1) return id;
	const noun = type.label.toLowerCase();
	if (choices.size > 1) {
		throw new UserError(
			`${type.label} ${quote(text)} matches ${choices.size} ${noun}s`,
			`Enter the ID of one. Matches: ${listRecords([...choices.values()])}.`,
		);
	}
	const wanted = normalize(text.split(',')[0]!);
	const similar = [...named.byName].flatMap(([name, it]) => (name.includes(wanted) ? it : []));
	throw new UserError(
		`${type.label} ${quote(text)} matches no ${noun}`,
		`${type.label}: Get Many lists the ${noun}s. Similar: ${listRecords(similar.map(type.describe)) || 'none'}.`,
	);
}

export function listRecords(records: Choice[]): string {
	return listFirst(records, ({ id, label }) => `${shorten(label)} (${shorten(id)})`);
}

/** Creates the function that finds what a text stands for in a list, which all items of a run share. */
export function findInList(
	type: RecordType,
	find: (named: NamedRecords, text: string) => IDataObject[],
) {
	const prepared = new WeakMap<IDataObject[], NamedRecords>();
	return async (text: string, client: Client): Promise<string> => {
		assertShort(text);
		const records = await fetchSharedRecords(client, type.list);
		const named = prepared.get(records) ?? prepare(records, type);
		prepared.set(records, named);
		const lookUp = () => getOnlyId(find(named, text), text, named, type);
		const id = named.idsByText.get(text) ?? Promise.resolve().then(lookUp);
		named.idsByText.set(text, id);
		return await id;
	};
}

/** An ID as services form them: a number, a UUID, or 20 letters and digits in a row. */
const LIKELY_ID = /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|(?=\D*\d)[\da-z]{20,})$/i;

/**
 * Creates the function that finds an ID if a user, an agent or a dropped field may have entered a name
 * instead. What looks like an ID is not looked up, which would take reading the list.
 */
export function findById(type: RecordType) {
	const findListed = findInList(type, findNamed);
	return async (text: string, client: Client): Promise<string> =>
		LIKELY_ID.test(text) ? text : await findListed(text, client);
}
