import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

/** Stores a file in n8n, as the node before ours does. */
export async function storeFile(
	content: Buffer,
	file: Partial<IBinaryData> = {},
): Promise<IBinaryData> {
	return await Container.get(BinaryDataService).store(
		{ type: 'execution', workflowId: 'workflow', executionId: 'execution' },
		content,
		{ data: '', mimeType: 'application/octet-stream', ...file },
	);
}
