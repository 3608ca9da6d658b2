import { join } from 'node:path';
import { Readable } from 'node:stream';

import {
	NodeHelpers,
	type IDataObject,
	type IExecuteFunctions,
	type INodeType,
	type VersionedNodeType,
} from 'n8n-workflow';

import type { WorkflowNode } from '../../../n8n/workflow';
import { n8nFolder } from '../../../scripts/n8nFolder';
import { openTable } from '../../examples/dataTables';
import { n8nVersion } from '../servers';

/** A request of one of n8n's own nodes, in the words of its HTTP helper. */
export interface NodeRequest {
	method: string;
	uri: string;
	body?: IDataObject;
	qs?: IDataObject;
	formData?: IDataObject;
	/** As the HTTP Request node reads a response. */
	useStream?: boolean;
}

/** Where n8n keeps the nodes that run for real. */
const FILES: Record<string, string> = {
	dataTable: 'DataTable/DataTable',
	filter: 'Filter/Filter',
	gmail: 'Google/Gmail/Gmail',
	googleSheets: 'Google/Sheet/GoogleSheets',
	html: 'Html/Html',
	httpRequest: 'HttpRequest/HttpRequest',
	hubspot: 'Hubspot/Hubspot',
	if: 'If/If',
	limit: 'Transform/Limit/Limit',
	merge: 'Merge/Merge',
	set: 'Set/Set',
	slack: 'Slack/Slack',
	splitInBatches: 'SplitInBatches/SplitInBatches',
	splitOut: 'Transform/SplitOut/SplitOut',
	telegram: 'Telegram/Telegram',
	wordpress: 'Wordpress/Wordpress',
};
/** What a user selects after the import of a template. */
const SELECTED = {
	documentId: { __rl: true, mode: 'id', value: 'document' },
	sheetName: { __rl: true, mode: 'name', value: 'Videos' },
};
const ACCOUNT = { url: 'https://blog.example.com', baseUrl: 'https://telegram.example.com' };

/** @returns the node of n8n-nodes-base, with its user's selection */
export function requireNode(file: string, version?: number): INodeType {
	const modules = join(n8nFolder(n8nVersion()), 'node_modules', 'n8n-nodes-base', 'dist', 'nodes');
	const exported = jest.requireActual<Record<string, new () => INodeType | VersionedNodeType>>(
		join(modules, `${file}.node.js`),
	);
	const NodeClass = exported[file.split('/').at(-1)!];
	return NodeHelpers.getVersionedNodeType(new NodeClass!(), version);
}

/**
 * Loads n8n's own nodes into a template. What they request of their service is answered by the test.
 *
 * @param respond returns the body of the response
 */
export function useNeighbours(respond: (request: NodeRequest) => unknown) {
	// What carries a credential gets its type first.
	const request = async (first: string | NodeRequest, second?: NodeRequest) => {
		const sent = typeof first === 'string' ? second! : first;
		const body = await Promise.resolve(respond(sent));
		if (!sent.useStream) return body;
		const headers = { 'content-type': 'application/json' };
		return { statusCode: 200, headers, body: Readable.from([Buffer.from(JSON.stringify(body))]) };
	};
	const helpers = {
		request: { value: request },
		requestOAuth2: { value: request },
		requestWithAuthentication: { value: request },
		getDataTableProxy: { value: async (id: string) => await Promise.resolve(openTable(id)) },
	};
	return (node: WorkflowNode): INodeType | undefined => {
		const file = FILES[node.type.split('.').at(-1)!];
		if (!file) return undefined;
		const type = requireNode(file, node.typeVersion);
		for (const [name, value] of Object.entries(SELECTED)) {
			if (name in node.parameters) node.parameters[name] = value;
		}
		const table = node.parameters.dataTableId as IDataObject | undefined;
		// Its name is its ID here; n8n 1.x finds no table by its name.
		if (table) table.mode = 'id';
		return {
			description: { ...type.description, credentials: undefined },
			async execute(this: IExecuteFunctions) {
				const context = Object.create(this, {
					getCredentials: { value: async () => await Promise.resolve(ACCOUNT) },
					helpers: { value: Object.create(this.helpers, helpers) as unknown },
				}) as IExecuteFunctions;
				return await type.execute!.call(context);
			},
		};
	};
}
