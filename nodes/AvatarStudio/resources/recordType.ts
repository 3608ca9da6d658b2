import type { IDataObject } from 'n8n-workflow';

import type { ListEndpoint } from '../client/list';
import type { Request } from '../client/send';
import type { Choice } from '../execution/field';

/** Records of one list, as Get Many, pickers, names and messages need them. */
export interface RecordType {
	/** Names one record in fields and messages, such as "Asset". */
	label: string;
	list: ListEndpoint;
	describe: (record: IDataObject) => Choice;
	/** IDs that others have for a record, such as the provider of a voice. */
	listOtherIds?: (record: IDataObject) => unknown[];
	/** Values that a search in the picker compares besides the name and the ID. */
	listSearched?: (record: IDataObject) => unknown[];
	/** Creates the request for all that is known of a record, if its list may leave something out. */
	createRequest?: (listed: IDataObject, defaultTimeout?: number) => Request;
}
