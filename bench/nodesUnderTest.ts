import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { scriptOf, type Expressions, type Job, type Subject } from './job';

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

/** The node, set up for a job the way a person would do it in the editor; a chain where it takes one. */
export function nodesFor(node: NodeUnderTest, job: Job, subject: Subject): ConfiguredNode[] {
	if (node === 'ours') {
		const parameters = { ...ours(job, subject), requestOptions: {} };
		return [{ type: 'n8n-nodes-avatar-studio.avatarStudio', typeVersion: 1, parameters }];
	}
	return httpRequests(job, subject).map((parameters) => ({
		type: 'n8n-nodes-base.httpRequest',
		// The version a person gets who adds the node today.
		typeVersion: 4.5,
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'avatarStudioApi',
			options: {},
			...parameters,
		},
	}));
}

/** @returns an expression where so many fields are to have one, else the constant */
function chosen(job: { expressions: Expressions }, atLeast: Expressions) {
	return (constant: string, expression: string) =>
		job.expressions >= atLeast ? expression : constant;
}

function ours(job: Job, { assetIds, voiceId, fileAssetId }: Subject): INodeParameters {
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });
	switch (job.what) {
		case 'get':
			return {
				resource: 'asset',
				operation: 'get',
				assetId: byId(chosen(job, 1)(assetIds[0]!, '={{ $json.id }}')),
			};
		case 'create':
			return {
				resource: 'speech',
				operation: 'create',
				voiceId: byId(chosen(job, 2)(voiceId, '={{ $json.voiceId }}')),
				script: chosen(job, 1)(scriptOf(0), '={{ $json.script }}'),
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

function httpRequests(
	job: Job,
	{ url, assetIds, voiceId, fileAssetId }: Subject,
): INodeParameters[] {
	const asset = `${url}/v1/assets`;
	switch (job.what) {
		case 'get':
			return [{ url: chosen(job, 1)(`${asset}/${assetIds[0]}`, `=${asset}/{{ $json.id }}`) }];
		case 'create':
			return [
				{
					method: 'POST',
					url: `${url}/v1/speech`,
					sendHeaders: true,
					headerParameters: named({ 'content-type': 'application/*+json' }),
					sendBody: true,
					bodyParameters: named({
						voiceId: chosen(job, 2)(voiceId, '={{ $json.voiceId }}'),
						script: chosen(job, 1)(scriptOf(0), '={{ $json.script }}'),
					}),
				},
			];
		case 'list':
			return [
				{
					url: asset,
					sendQuery: true,
					queryParameters: named({ PageSize: '100' }),
					options: { pagination: { pagination } },
				},
			];
		case 'download':
			return [
				{ url: `${asset}/${fileAssetId}` },
				{
					url: '={{ $json.url }}',
					authentication: 'none',
					options: { response: { response: { responseFormat: 'file' } } },
				},
			];
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
