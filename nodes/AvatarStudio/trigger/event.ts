import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../client/client';
import type { ListEndpoint } from '../client/list';
import type { PageOptions } from '../client/paginate';
import type { UserError } from '../errors/userError';
import type { Field } from '../execution/field';

import type { Change } from './change';

/** What starts a workflow: a change in a list of the service, such as a record that was not there before. */
export interface TriggerEvent {
	/** As the editor lists it, in Title Case, such as "New Asset". */
	name: string;
	/** What saved workflows hold: the record and a verb in the past. It never changes. */
	value: string;
	/** Completes "Triggers when …" and the node's description. */
	occurrence: string;
	/** What the user sets. If the field named `filters` changes, the next poll only remembers what is listed. */
	fields: Field[];
	/**
	 * @param parameters the values of the fields, by name
	 * @throws UserError if a value cannot be used
	 */
	createSource: (client: Client<IPollFunctions>, parameters: IDataObject) => RecordSource;
}

/** The list in which an event shows, which of its records the event tells of, and what is emitted for each. */
export interface RecordSource {
	list: ListEndpoint;
	/** The field that identifies a record. */
	idField: string;
	pageOptions?: Partial<PageOptions>;
	change: Change;
	/** @returns undefined if there is nothing to emit, as for a record that the filters exclude */
	toItem: (record: IDataObject) => ToItemResult | Promise<ToItemResult>;
}

/** The item that is emitted for a record. */
export interface RecordItem extends Pick<INodeExecutionData, 'json' | 'binary'> {
	/** What kept a part of the record from being read. `json` says so, too. */
	failure?: UserError;
}

type ToItemResult = RecordItem | undefined;
