import type { INode, INodeParameters } from 'n8n-workflow';

import type { RateLimit } from '../../service/service';

import { scriptOf, type ExpressionCount, type Fixtures, type Task } from './task';

/** A node as it is configured in a workflow. */
export interface ConfiguredNode {
	type: string;
	typeVersion: number;
	parameters: INodeParameters;
}

/** The Avatar Studio node, configured for a task as in the editor. */
export function avatarStudioNode(task: Task, fixtures: Fixtures): ConfiguredNode {
	return {
		type: 'n8n-nodes-avatar-studio.avatarStudio',
		typeVersion: 1,
		parameters: { ...avatarStudioParameters(task, fixtures), requestOptions: {} },
	};
}

/** The HTTP Request nodes for the same task: two in a row for a download. */
export function httpRequestNodes(task: Task, fixtures: Fixtures): ConfiguredNode[] {
	return httpRequestParameters(task, fixtures).map((parameters) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'avatarStudioApi',
			options: {},
			...parameters,
		},
	}));
}

/**
 * The HTTP Request node as configured by a careful user who knows the limit: batches of four fifths
 * of it, one per second, and the maximum of Retry On Fail.
 */
export function httpRequestWithinLimit(
	task: Task,
	fixtures: Fixtures,
	{ concurrent, perSecond }: RateLimit,
): ConfiguredNode & Pick<INode, 'retryOnFail' | 'maxTries' | 'waitBetweenTries'> {
	const [node] = httpRequestNodes(task, fixtures) as [ConfiguredNode];
	const batchSize = Math.floor((concurrent ?? perSecond!) * 0.8);
	const options = { batching: { batch: { batchSize, batchInterval: 1000 } } };
	const parameters = { ...node.parameters, options };
	return { ...node, parameters, retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 };
}

function avatarStudioParameters(
	task: Task,
	{ assetIds, voiceId, largeAssetId }: Fixtures,
): INodeParameters {
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });
	switch (task.kind) {
		case 'get':
			return {
				resource: 'asset',
				operation: 'get',
				assetId: byId(fieldValue(task, 1, assetIds[0]!, '={{ $json.id }}')),
			};
		case 'create':
			return {
				resource: 'speech',
				operation: 'create',
				voiceId: byId(fieldValue(task, 2, voiceId, '={{ $json.voiceId }}')),
				script: fieldValue(task, 1, scriptOf(0), '={{ $json.script }}'),
				options: {},
			};
		case 'list':
			return { resource: 'asset', operation: 'getAll', returnAll: true, options: {} };
		case 'download':
			return {
				resource: 'asset',
				operation: 'download',
				assetId: byId(largeAssetId),
				binaryPropertyName: 'data',
			};
	}
}

function httpRequestParameters(
	task: Task,
	{ baseUrl, assetIds, voiceId, largeAssetId }: Fixtures,
): INodeParameters[] {
	const assets = `${baseUrl}/v1/assets`;
	switch (task.kind) {
		case 'get':
			return [
				{ url: fieldValue(task, 1, `${assets}/${assetIds[0]}`, `=${assets}/{{ $json.id }}`) },
			];
		case 'create':
			return [
				{
					method: 'POST',
					url: `${baseUrl}/v1/speech`,
					sendHeaders: true,
					headerParameters: keyValues({ 'content-type': 'application/*+json' }),
					sendBody: true,
					bodyParameters: keyValues({
						voiceId: fieldValue(task, 2, voiceId, '={{ $json.voiceId }}'),
						script: fieldValue(task, 1, scriptOf(0), '={{ $json.script }}'),
					}),
				},
			];
		case 'list':
			return [
				{
					url: assets,
					sendQuery: true,
					queryParameters: keyValues({ PageSize: '100' }),
					options: { pagination: { pagination: untilEmptyPage } },
				},
			];
		case 'download':
			return [
				{ url: `${assets}/${largeAssetId}` },
				{
					url: '={{ $json.url }}',
					authentication: 'none',
					options: { response: { response: { responseFormat: 'file' } } },
				},
			];
	}
}

const untilEmptyPage = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'Page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.assets.length === 0 }}',
	limitPagesFetched: false,
	requestInterval: 0,
};

function fieldValue(
	{ expressions }: { expressions: ExpressionCount },
	fromExpressions: ExpressionCount,
	constant: string,
	expression: string,
): string {
	return expressions >= fromExpressions ? expression : constant;
}

function keyValues(values: Record<string, string>) {
	return { parameters: Object.entries(values).map(([name, value]) => ({ name, value })) };
}
