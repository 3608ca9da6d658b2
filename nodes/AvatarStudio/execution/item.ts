import type { IDataObject, IExecutePaginationFunctions, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../client/client';
import type { Request } from '../client/send';

import type { ItemState } from './nodeRun';

/** One input item on its way through an operation, or one new record of the trigger. */
export interface Item {
	client: Client<IExecutePaginationFunctions | IPollFunctions>;
	parameters: IDataObject;
	request: Request;
	/** The requests of an item that stands for several; each is sent as the one of a copy of it. */
	requests?: Request[];
	/** What is known of an item whose requests create something. */
	state?: ItemState;
}
