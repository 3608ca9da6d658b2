import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

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
