import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { Client } from '../client/client';
import { shorten } from '../errors/formatText';
import { formatErrorText, toNodeError } from '../errors/nodeError';
import { toUserError, UserError } from '../errors/userError';
import { listWithEntries } from '../execution/collection';
import type { Choice, Field, Picker } from '../execution/field';
import { normalize } from '../resources/texts';

type ListSearch = (
	this: ILoadOptionsFunctions,
	search?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Builds a node's list searches from those of its fields that have a picker, by the names in their modes. */
export function buildListSearches(fields: Field[]): Record<string, ListSearch> {
	const searches = listWithEntries(fields).flatMap(({ picker, modes = [] }) => {
		const names = modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
		return picker ? names.map((name) => [name, buildListSearch(picker)] as const) : [];
	});
	return Object.fromEntries(searches);
}

/** Builds a list search. Its pagination token is the number of entries that the editor shows already. */
function buildListSearch({ search, pageLength }: Picker): ListSearch {
	return async function (text = '', paginationToken = '0') {
		const start = Number(paginationToken);
		const end = start + pageLength;
		const found: Choice[] = [];
		await fetchForEditor(this, async (client) => {
			for await (const choices of search(text, client)) {
				found.push(...choices.filter(isSelectable));
				if (found.length > end) break;
			}
		});
		const entries = toEntries(found);
		return {
			results: entries.slice(start, end),
			paginationToken: entries.length > end ? String(end) : undefined,
		};
	};
}

/**
 * Makes requests for a list in the editor.
 *
 * @throws NodeApiError if one fails; its message says all there is to read, because the editor shows
 *   nothing else below a list
 */
export async function fetchForEditor<T>(
	context: ILoadOptionsFunctions,
	fetch: (client: Client) => Promise<T>,
): Promise<T> {
	return await fetch(Client.forEditor(context)).catch((thrown: unknown) => {
		const error = toUserError(thrown);
		// The editor shows the message alone, and adds the status by itself.
		const message = formatErrorText(error.with({ status: undefined }));
		throw toNodeError(context.getNode(), new UserError(error.summary, ''), message);
	});
}

/** @returns what the editor lists: each ID once, and with the ID if several entries have the same label */
export function toEntries(choices: Choice[]): { name: string; value: string; url?: string }[] {
	const choicesById = new Map(choices.map((choice) => [choice.id, choice]));
	const offered = [...choicesById.values()].filter(isSelectable);
	const counts = new Map<string, number>();
	for (const key of offered.map(({ label }) => normalize(label))) {
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return offered.map(({ id, label, ...link }) => {
		const isOnlyOne = counts.get(normalize(label)) === 1;
		const name = isOnlyOne ? shorten(label) : `${shorten(label)} (${shorten(id)})`;
		// n8n would evaluate a name that begins with "=" as an expression (n8n-workflow 2.41.0,
		// expression-helpers.js).
		return { name: name.replace(/^[=\s]+/, '') || id, value: id, ...link };
	});
}

/** @returns whether n8n can save the ID; it would evaluate one that begins with "=" as an expression */
function isSelectable({ id }: Choice): boolean {
	return /^(?!=)\P{Cc}+$/u.test(id);
}
