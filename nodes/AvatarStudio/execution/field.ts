import type { INodeProperties } from 'n8n-workflow';

import type { Client } from '../client/client';

/** What a text must look like. */
export interface Format {
	/** Completes "Asset must be …". */
	expected: string;
	hint: string;
	/** Completes "“a b” …" for a text that is not valid, such as "contains a space". */
	findProblem?: (text: string) => string | undefined;
	/** @returns what is sent, or undefined if the text is not valid */
	parse: (text: string) => string | undefined;
}

/** Finds the ID that a text stands for, such as the one of the only record with that name. */
export type FindId = (text: string, client: Client) => Promise<string>;

/** A record as a user chooses it: by its label. */
export interface Choice {
	/** Empty if the record has none: then it cannot be chosen. */
	id: string;
	label: string;
	/** A page or a file that the editor opens from the list. */
	url?: string;
}

/** What the editor lists for a resource locator. */
export interface Picker {
	/** Yields what a search text finds, page by page as it is read; an empty text finds everything. */
	search: (text: string, client: Client) => AsyncIterable<Choice[]>;
	/** How many are shown before the user scrolls for more, for which the list is read again. */
	pageLength: number;
}

/** Loads what the editor lists for a field, each choice as often as it occurs and in any order. */
export type LoadChoices = (client: Client) => Promise<Choice[]>;

/** A parameter of the node, with what n8n's own description has no place for. */
export interface Field extends INodeProperties {
	/** What a text must look like. */
	format?: Format;
	/** Whether an expression may return an object instead of text. */
	allowsObject?: true;
	/**
	 * For a resource locator: what finds the ID, by mode, and by `picked` for what a user picked from the list.
	 * Any other mode, such as `list`, counts as `id`.
	 */
	findBy?: Record<string, FindId>;
	/** For a resource locator with a list: what the list offers. */
	picker?: Picker;
	/** For options that the service lists, under the name in `typeOptions.loadOptionsMethod`: what loads them. */
	loadChoices?: LoadChoices;
	/** The default while the node is an agent's tool, if it is another one. */
	defaultOfTool?: boolean;
	/** Whether the value, or all entries of a collection, are not sent under their own names. */
	isLocal?: true;
	/** For a JSON object: whether its entries are sent instead of it, and override the other fields. */
	isMergedLast?: true;
	/**
	 * Whether an expression must return a value, because a filter or Dry Run would silently not apply. One
	 * that throws returns none (findings/expression-that-throws-is-no-value).
	 */
	failsIfExpressionIsEmpty?: true;
}
