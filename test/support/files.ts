import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

import type { Output, RunOptions } from './engine/engine';
import type { DescribedOperation } from './operations';
import type { Studio } from './studio';

/**
 * Stores a file in n8n, as the node before ours does.
 *
 * @param executionId empty for a file received by a webhook, which n8n keeps in a temporary place
 */
export async function storeFile(
	content: Buffer,
	file: Partial<IBinaryData> = {},
	executionId = 'execution',
): Promise<IBinaryData> {
	return await Container.get(BinaryDataService).store(
		{ type: 'execution', workflowId: 'workflow', executionId },
		content,
		{ data: '', mimeType: 'application/octet-stream', ...file },
	);
}

/** Runs an operation on one item, which has a file for operations that take one. */
export async function runOperation(
	studio: Studio,
	{ parameters }: DescribedOperation,
	options: Partial<RunOptions> = {},
): Promise<Output> {
	const data = await storeFile(Buffer.from('file'), { mimeType: 'image/png' });
	return await studio.run(parameters, { items: [{ json: {}, binary: { data } }], ...options });
}
