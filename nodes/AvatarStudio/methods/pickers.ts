import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { Client } from '../client/client';
import { shorten } from '../errors/formatText';
import { formatErrorText, toNodeError } from '../errors/nodeError';
import { toUserError, UserError } from '../errors/userError';
import type { Described } from '../resources/names';
import { normalize } from '../resources/texts';

/** @throws NodeApiError with all there is to read below a list, if a request of it fails */
export async function fetchForEditor<T>(
	context: ILoadOptionsFunctions,
	fetch: (client: Client) => Promise<T>,
): Promise<T> {
	return await fetch(Client.forEditor(context)).catch((thrown: unknown) => {
		const error = toUserError(thrown);
		// The editor adds the status by itself, and shows the message alone.
		const shown = error.with({ status: undefined });
		const silent = new UserError(error.summary, '');
		throw toNodeError(context.getNode(), silent, formatErrorText(shown));
	});
}

/** @returns the entries of a list for all that `isSelectable`; those that look alike show their ID */
export function toEntries(choices: Described[]): { name: string; value: string }[] {
	const distinct = [...new Map(choices.map((choice) => [choice.id, choice])).values()];
	const offered = distinct.filter(isSelectable);
	const counts = new Map<string, number>();
	for (const key of offered.map(({ label }) => normalize(label))) {
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	return offered.map(({ id, label }) => {
		const isDistinct = counts.get(normalize(label)) === 1;
		const name = isDistinct ? shorten(label) : `${shorten(label)} (${shorten(id)})`;
		// n8n would evaluate a name as an expression, too.
		return { name: name.replace(/^[=\s]+/, '') || id, value: id };
	});
}

/** The workflow keeps the ID: n8n would evaluate one that begins with "=" as an expression. */
export function isSelectable({ id }: Described): boolean {
	return /^(?!=)\P{Cc}+$/u.test(id);
}
