import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { scriptOf, type Job, type Subject } from './job';

/** The two nodes that do the same jobs. */
export type NodeUnderTest = 'ours' | 'http';

/** A node as it stands in a workflow. */
export interface ConfiguredNode {
	type: string;
	typeVersion: number;
	parameters: INodeParameters;
}

/** The input items of a job: what an expression takes its values from. */
export function inputOf(job: Job, { assetIds, voiceId }: Subject): INodeExecutionData[] {
	const count = 'items' in job ? job.items : 1;
	return Array.from({ length: count }, (_, index) => ({
		json: { id: assetIds[index % assetIds.length], voiceId, script: scriptOf(index) },
	}));
}

/** The node, set up for a job the way a person would do it in the editor. */
export function nodeFor(node: NodeUnderTest, job: Job, subject: Subject): ConfiguredNode {
	return node === 'ours'
		? {
				type: 'n8n-nodes-avatar-studio.avatarStudio',
				typeVersion: 1,
				parameters: { ...ours(job, subject), requestOptions: {} },
			}
		: {
				type: 'n8n-nodes-base.httpRequest',
				// The version a person gets who adds the node today.
				typeVersion: 4.5,
				parameters: {
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'avatarStudioApi',
					options: {},
					...httpRequest(job, subject),
				},
			};
}

function ours(job: Job, { assetIds, voiceId, fileAssetId }: Subject): INodeParameters {
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });
	const choose = (constant: string, expression: string) =>
		'parameters' in job && job.parameters === 'expression' ? expression : constant;
	switch (job.what) {
		case 'get':
			return {
				resource: 'asset',
				operation: 'get',
				assetId: byId(choose(assetIds[0]!, '={{ $json.id }}')),
			};
		case 'create':
			return {
				resource: 'speech',
				operation: 'create',
				voiceId: byId(choose(voiceId, '={{ $json.voiceId }}')),
				script: choose(scriptOf(0), '={{ $json.script }}'),
				options: {},
			};
		case 'list':
			return { resource: 'asset', operation: 'getAll', returnAll: true, options: {} };
		case 'download':
			return {
				resource: 'asset',
				operation: 'download',
				assetId: byId(fileAssetId),
				binaryPropertyName: 'data',
			};
	}
}

function httpRequest(job: Job, { url, assetIds, voiceId, fileUrl }: Subject): INodeParameters {
	const choose = (constant: string, expression: string) =>
		'parameters' in job && job.parameters === 'expression' ? expression : constant;
	switch (job.what) {
		case 'get':
			return {
				url: choose(`${url}/v1/assets/${assetIds[0]}`, `=${url}/v1/assets/{{ $json.id }}`),
			};
		case 'create':
			return {
				method: 'POST',
				url: `${url}/v1/speech`,
				sendHeaders: true,
				headerParameters: named({ 'content-type': 'application/*+json' }),
				sendBody: true,
				bodyParameters: named({
					voiceId: choose(voiceId, '={{ $json.voiceId }}'),
					script: choose(scriptOf(0), '={{ $json.script }}'),
				}),
			};
		case 'list':
			return {
				url: `${url}/v1/assets`,
				sendQuery: true,
				queryParameters: named({ PageSize: '100' }),
				options: { pagination: { pagination } },
			};
		case 'download':
			return {
				url: fileUrl,
				authentication: 'none',
				options: { response: { response: { responseFormat: 'file' } } },
			};
	}
}

const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'Page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.assets.length === 0 }}',
	limitPagesFetched: false,
	requestInterval: 0,
};

function named(values: Record<string, string>) {
	return { parameters: Object.entries(values).map(([name, value]) => ({ name, value })) };
}
