import { join } from 'node:path';

import {
	NodeHelpers,
	type IDataObject,
	type IExecuteFunctions,
	type INodeType,
	type VersionedNodeType,
} from 'n8n-workflow';

import type { WorkflowNode } from '../../../n8n/workflow';
import { n8nFolder } from '../../../scripts/n8nFolder';
import { n8nVersion } from '../servers';

/** A request of one of n8n's own nodes, in the words of its HTTP helper. */
export interface NodeRequest {
	method: string;
	uri: string;
	body?: IDataObject;
	qs?: IDataObject;
	formData?: IDataObject;
}

/** Where n8n keeps the nodes that run for real. */
const FILES: Record<string, string> = {
	filter: 'Filter/Filter',
	googleSheets: 'Google/Sheet/GoogleSheets',
	if: 'If/If',
	set: 'Set/Set',
	slack: 'Slack/Slack',
	splitInBatches: 'SplitInBatches/SplitInBatches',
	splitOut: 'Transform/SplitOut/SplitOut',
	telegram: 'Telegram/Telegram',
};
/** What a user selects after the import of a template. */
const SELECTED = {
	documentId: { __rl: true, mode: 'id', value: 'document' },
	sheetName: { __rl: true, mode: 'name', value: 'Videos' },
};
const ACCOUNT = { baseUrl: 'https://telegram.example.com' };

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
		return await Promise.resolve(respond(sent));
	};
	const helpers = {
		request: { value: request },
		requestOAuth2: { value: request },
		requestWithAuthentication: { value: request },
	};
	return (node: WorkflowNode): INodeType | undefined => {
		const file = FILES[node.type.split('.').at(-1)!];
		if (!file) return undefined;
		const type = requireNode(file, node.typeVersion);
		for (const [name, value] of Object.entries(SELECTED)) {
			if (name in node.parameters) node.parameters[name] = value;
		}
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
