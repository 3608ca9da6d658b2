import type { Client } from '../client/client';

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
