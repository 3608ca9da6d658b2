import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { UserError } from '../errors/userError';
import type { Field } from '../execution/parameters';
import type { Match } from '../resources/asset/assetFilters';

export const event: Field = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'New Asset',
			value: 'assetCreated',
			description: 'Triggers when an asset is added to the account',
		},
		{
			name: 'New Voice',
			value: 'voiceAdded',
			description: 'Triggers when a voice becomes available',
		},
	],
	default: 'assetCreated',
};

/** How the trigger reads, selects and emits the records of an event. */
export interface RecordSource {
	/** What messages call the records. */
	recordsName: string;
	idField: string;
	/** Whether the service lists the newest first, as the user states. */
	newestFirst: boolean;
	/** The values of the filters. */
	filters: IDataObject;
	/**
	 * Reads the list page by page.
	 *
	 * @param prefetch number of pages to request at a time; 4 by default
	 */
	fetchPages: (prefetch?: number) => AsyncIterable<IDataObject[]>;
	/** What is wrong with the filters if no record of a list without pages can match them. */
	findFilterError: (records: IDataObject[]) => UserError | undefined;
	/** Compares a listed record with the filters. */
	match: (record: IDataObject) => Match;
	/**
	 * Builds the item of a new record that the filters do not exclude. What cannot be read of it is
	 * described in the item, as `error` or `fileError`.
	 *
	 * @param isLastAttempt whether to do so as well with what a later poll may be able to read
	 * @returns undefined if the record proves to be excluded
	 * @throws UserError if a later poll may be able to read more
	 */
	toItem: (record: IDataObject, isLastAttempt: boolean) => Promise<INodeExecutionData | undefined>;
}
