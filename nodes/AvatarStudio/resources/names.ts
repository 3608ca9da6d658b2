import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../client/client';
import { fetchSharedRecords, isMissing } from '../client/list';
import { listFirst, quote, shorten } from '../errors/formatText';
import { UserError } from '../errors/userError';
import type { Choice } from '../execution/field';

import { ID, PLACEHOLDER } from './formats';
import type { RecordType } from './recordType';
import { assertShort, filterTexts, normalize, normalizeAccented, toText } from './texts';

/** What looks like an ID: a number, a UUID, or 20 and more letters and digits in a row. */
const LIKELY_ID = /^(?:\d+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=\D*\d)[\da-z]{20,})$/i;
/** Scripts that put no blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** The records of a list by what they are looked up by. */
export interface NamedRecords {
	all: IDataObject[];
	byId: Map<string, IDataObject>;
	/** By normalized name. Records without a name are not among them. */
	byName: Map<string, IDataObject[]>;
	/** The ID, or the error, of each text that was looked up before. */
	idsByText: Map<string, Promise<string>>;
}

/** Finds the records that a text may stand for. */
type FindRecords = (named: NamedRecords, text: string) => IDataObject[];

/** Says why a text stands for no record; empty if there is nothing to say. */
type Explain = (named: NamedRecords, text: string) => string;

/**
 * Creates the function that finds the ID of the only record that a text stands for. The items of a node
 * run share a list, which is prepared once, and each text is looked up once.
 *
 * @throws UserError that lists candidates if there are several records, or none
 */
export function findInList(type: RecordType, find: FindRecords, explainNone?: Explain) {
	const prepared = new WeakMap<IDataObject[], NamedRecords>();
	return async (text: string, client: Client): Promise<string> => {
		assertShort(text);
		const records = await fetchSharedRecords(client, type.list);
		const named = prepared.get(records) ?? prepare(records, type);
		prepared.set(records, named);
		const lookUp = () => getOnlyId(find(named, text), text, named, type, explainNone);
		const id = named.idsByText.get(text) ?? Promise.resolve().then(lookUp);
		named.idsByText.set(text, id);
		return await id;
	};
}

/**
 * Creates the function that finds an ID where a user, an agent or a dropped field may have entered a
 * name instead. What looks like an ID is not looked up, because that takes reading the list.
 */
export function findById(type: RecordType) {
	const findListed = findInList(type, findNamed);
	return async (text: string, client: Client): Promise<string> => {
		assertNoPlaceholder(type.label, text);
		if (LIKELY_ID.test(text)) return text;
		return await findListed(text, client).catch((error: unknown) => {
			// Without the list, nobody can say whether a text is a name, and the service checks IDs itself.
			if (type.list.isOptional && isMissing(error) && ID.parse(text)) return text;
			throw error;
		});
	};
}

/** @throws UserError if a text only says where an ID belongs, such as "<avatarId>" */
export function assertNoPlaceholder(label: string, text: string): void {
	if (!PLACEHOLDER.test(text)) return;
	throw new UserError(
		`${label} ${quote(text)} is a placeholder`,
		`Replace it by an ID or a name. ${label}: Get Many lists the ${label.toLowerCase()}s.`,
	);
}

/**
 * A text may leave out the accents of a name, but not change them: "Resumé" is not "Résumé".
 *
 * @returns the record with this ID; else those with this name, and only those with exactly its accents
 *   if there are any or if the text has accents
 */
export function findNamed(
	named: NamedRecords,
	text: string,
	matches: (record: IDataObject) => boolean = () => true,
): IDataObject[] {
	const withId = named.byId.get(text);
	if (withId && matches(withId)) return [withId];
	const accented = normalizeAccented(text);
	const plain = normalize(text);
	const namesakes = (named.byName.get(plain) ?? []).filter(matches);
	const exact = namesakes.filter(({ name }) => normalizeAccented(toText(name)) === accented);
	const hasAccents = accented !== plain;
	return hasAccents || exact.length > 0 ? exact : namesakes;
}

/** Lists records for a message: "Ryan · English (United Kingdom) · male (au-en-GB-ryan); …". */
export function listRecords(records: Choice[]): string {
	return listFirst(records, ({ id, label }) => `${shorten(label)} (${shorten(id)})`);
}

function prepare(
	records: IDataObject[],
	{ describe, listOtherIds = () => [] }: RecordType,
): NamedRecords {
	const all = records.filter((record) => describe(record).id !== '');
	const byId = new Map(
		all.flatMap((record) => filterTexts(listOtherIds(record)).map((id) => [id, record] as const)),
	);
	for (const record of all) byId.set(describe(record).id, record);
	const byName = new Map<string, IDataObject[]>();
	for (const record of all) {
		const name = normalize(toText(record.name));
		const namesakes = byName.get(name) ?? [];
		namesakes.push(record);
		byName.set(name, namesakes);
	}
	// A text of invisible characters would stand for every record without a name.
	byName.delete('');
	return { all, byId, byName, idsByText: new Map() };
}

/** @throws UserError if the records that match a text are several, or none */
function getOnlyId(
	matches: IDataObject[],
	text: string,
	named: NamedRecords,
	{ label, describe }: RecordType,
	explainNone: Explain = () => '',
): string {
	const choices = new Map(matches.map(describe).map((choice) => [choice.id, choice]));
	const [id = ''] = choices.keys();
	if (choices.size === 1) return id;
	const noun = label.toLowerCase();
	if (choices.size > 1) {
		throw new UserError(
			`${label} ${quote(text)} matches ${choices.size} ${noun}s`,
			`Enter the ID of one. Matches: ${listRecords([...choices.values()])}.`,
		);
	}
	const similar = listRecords(findSimilar(named, text).map(describe)) || 'none';
	throw new UserError(
		`${label} ${quote(text)} matches no ${noun}`,
		`${explainNone(named, text)} ${label}: Get Many lists the ${noun}s. Similar: ${similar}.`.trim(),
	);
}

/** @returns the records whose names contain the text up to its first comma, or are contained in it */
function findSimilar({ byName }: NamedRecords, text: string): IDataObject[] {
	const whole = normalize(text);
	const start = normalize(text.split(',')[0]!);
	const names = [...byName.keys()];
	const similar = names.filter((name) => name.includes(start) || containsName(whole, name));
	return similar.flatMap((name) => byName.get(name)!);
}

/** @returns whether a text contains a name that is no part of a longer word: not "ann" in "planning" */
function containsName(text: string, name: string): boolean {
	const start = text.indexOf(name);
	if (start < 0) return false;
	const neighbors = text.charAt(start - 1) + text.charAt(start + name.length);
	return UNSPACED.test(name) || !/[\p{L}\p{N}]/u.test(neighbors);
}
