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

/** Records of one resource, as messages need them. */
interface RecordKind {
	label: string;
	describe: (record: IDataObject) => Described;
	hint: string;
}

/** The records of a list by ID and name: prepared once for all items of a node run. */
class NamedRecords {
	/** The IDs that texts stand for, as far as they were looked up. */
	readonly found = new Map<string, Promise<string>>();
	private readonly byId = new Map<string, IDataObject>();
	private readonly byName = new Map<string, IDataObject[]>();

	constructor(
		readonly records: IDataObject[],
		private readonly kind: RecordKind,
	) {
		for (const record of records) {
			this.byId.set(kind.describe(record).id, record);
			const name = normalize(toText(record.name));
			const namesakes = this.byName.get(name) ?? [];
			namesakes.push(record);
			this.byName.set(name, namesakes);
		}
		// A text of invisible characters would be the name of what has none.
		this.byName.delete('');
	}

	/**
	 * @returns the record whose ID a text is, else those whose name it is: with the same accents if
	 *   there are any. A text may leave accents out, but not change them: "Resumé" is not "Résumé".
	 */
	find(text: string, isWanted: (record: IDataObject) => boolean = () => true): IDataObject[] {
		const withId = this.byId.get(text);
		if (withId && isWanted(withId)) return [withId];
		const [accented, plain] = [normalizeAccented(text), normalize(text)];
		const named = (this.byName.get(plain) ?? []).filter(isWanted);
		const exact = named.filter(({ name }) => normalizeAccented(toText(name)) === accented);
		return exact.length > 0 || accented !== plain ? exact : named;
	}

	/** @throws UserError that lists the matches with their IDs if they are several, or similar names */
	getOnlyId(matches: IDataObject[], text: string): string {
		const { label, describe, hint } = this.kind;
		const choices = new Map(matches.map(describe).map((match) => [match.id, match]));
		choices.delete('');
		const [id] = choices.keys();
		if (id !== undefined && choices.size === 1) return id;
		const noun = label.toLowerCase();
		if (id !== undefined) {
			throw new UserError(
				`${label} ${quote(text)} matches ${choices.size} ${noun}s`,
				`Enter the ID of one. Matches: ${listRecords([...choices.values()])}.`,
			);
		}
		const similar = this.findSimilar(text);
		throw new UserError(
			`${label} ${quote(text)} matches no ${noun}`,
			similar.length === 0 ? hint : `${hint} Similar: ${listRecords(similar)}.`,
		);
	}

	/** @returns the records whose name contains the text, or what is before its comma */
	private findSimilar(text: string): Described[] {
		const wanted = normalize(text.split(',')[0]!);
		const similar = [...this.byName].filter(([name]) => name.includes(wanted));
		return similar.flatMap(([, records]) => records.map(this.kind.describe));
	}
}

export type { NamedRecords };

export function listRecords(records: Described[]): string {
	return listFirst(records, ({ id, label }) => `${shorten(label)} (${shorten(id)})`);
}

/** Creates the function that finds what a text stands for in a list, which all items of a run share. */
export function findInList(
	list: ListEndpoint,
	kind: RecordKind,
	find: (named: NamedRecords, text: string) => string,
) {
	const prepared = new WeakMap<IDataObject[], NamedRecords>();
	return async (text: string, client: Client): Promise<string> => {
		assertShort(text);
		const records = await fetchSharedRecords(client, list);
		const named = prepared.get(records) ?? new NamedRecords(records, kind);
		prepared.set(records, named);
		const id = named.found.get(text) ?? Promise.resolve().then(() => find(named, text));
		named.found.set(text, id);
		return await id;
	};
}
