import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { RateLimit } from '../service/service';

/** What is done, by each of the compared nodes in its own way; the values of an item are expressions. */
export type Task = 'get' | 'create' | 'list' | 'download';

export interface Fixtures {
	baseUrl: string;
	apiKey: string;
	assetIds: string[];
	voiceId: string;
	largeAssetId: string;
}

/** A node as it is configured in a workflow. */
export type ConfiguredNode = Pick<INode, 'type' | 'typeVersion' | 'parameters'> & Partial<INode>;

/** The nodes that are compared; each returns the nodes that a workflow needs for a task. */
export const NODES = { avatarStudio, httpRequest };
export type NodeName = keyof typeof NODES;
export const NODE_NAMES: NodeName[] = ['avatarStudio', 'httpRequest'];

export function createItems(count: number, { assetIds, voiceId }: Fixtures): INodeExecutionData[] {
	return Array.from({ length: count }, (_, index) => ({
		json: {
			id: assetIds[index % assetIds.length],
			voiceId,
			script: `Welcome to our spring collection, part ${index}.`,
		},
	}));
}

function avatarStudio(task: Task, { largeAssetId }: Fixtures): ConfiguredNode[] {
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });
	const parameters: Record<Task, INodeParameters> = {
		get: { resource: 'asset', operation: 'get', assetId: byId('={{ $json.id }}') },
		create: {
			resource: 'speech',
			operation: 'create',
			voiceId: byId('={{ $json.voiceId }}'),
			script: '={{ $json.script }}',
			options: {},
		},
		list: { resource: 'asset', operation: 'getAll', returnAll: true, options: {} },
		download: {
			resource: 'asset',
			operation: 'download',
			assetId: byId(largeAssetId),
			binaryPropertyName: 'data',
		},
	};
	return [
		{
			type: 'n8n-nodes-avatar-studio.avatarStudio',
			typeVersion: 1,
			parameters: { ...parameters[task], requestOptions: {} },
		},
	];
}

/**
 * The HTTP Request nodes for the same task: two for a download. A limit is known to the user, who
 * is careful: batches of four fifths of it, one per second, and the maximum of Retry On Fail.
 */
function httpRequest(
	task: Task,
	{ baseUrl, largeAssetId }: Fixtures,
	limit?: RateLimit,
): ConfiguredNode[] {
	const batchSize = Math.floor((limit?.concurrent ?? limit?.perSecond ?? 0) * 0.8);
	const options = limit ? { batching: { batch: { batchSize, batchInterval: 1000 } } } : {};
	const assets = `${baseUrl}/v1/assets`;
	const parameters: Record<Task, INodeParameters[]> = {
		get: [{ url: `=${assets}/{{ $json.id }}` }],
		create: [
			{
				method: 'POST',
				url: `${baseUrl}/v1/speech`,
				sendHeaders: true,
				headerParameters: keyValues({ 'content-type': 'application/*+json' }),
				sendBody: true,
				bodyParameters: keyValues({
					voiceId: '={{ $json.voiceId }}',
					script: '={{ $json.script }}',
				}),
			},
		],
		list: [
			{
				url: assets,
				sendQuery: true,
				queryParameters: keyValues({ PageSize: '100' }),
				options: { pagination: { pagination: UNTIL_EMPTY_PAGE } },
			},
		],
		download: [
			{ url: `${assets}/${largeAssetId}` },
			{
				url: '={{ $json.url }}',
				authentication: 'none',
				options: { response: { response: { responseFormat: 'file' } } },
			},
		],
	};
	return parameters[task].map((own) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'avatarStudioApi',
			options,
			...own,
		},
		...(limit && { retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 }),
	}));
}

const UNTIL_EMPTY_PAGE = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'Page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.assets.length === 0 }}',
	limitPagesFetched: false,
	requestInterval: 0,
};

function keyValues(values: Record<string, string>) {
	return { parameters: Object.entries(values).map(([name, value]) => ({ name, value })) };
}
