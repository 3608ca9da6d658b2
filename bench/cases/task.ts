import type { INodeExecutionData } from 'n8n-workflow';

/** How many fields of an item are expressions; the others are constants. */
export type ExpressionCount = 0 | 1 | 2;

/** The requests to send; each contender sends the same ones in its own way. */
export type Task =
	| { kind: 'get' | 'create'; items: number; expressions: ExpressionCount }
	| { kind: 'list' }
	| { kind: 'download' };

/** The service and the records used by tasks. */
export interface Fixtures {
	baseUrl: string;
	apiKey: string;
	assetIds: string[];
	voiceId: string;
	/** An asset with a large file. */
	largeAssetId: string;
}

/** The script of one item's speech. */
export function scriptOf(item: number): string {
	return `Welcome to our spring collection, part ${item}.`;
}

/** The input items of a task, which its expressions read. */
export function inputItems(task: Task, { assetIds, voiceId }: Fixtures): INodeExecutionData[] {
	return Array.from({ length: 'items' in task ? task.items : 1 }, (_, index) => ({
		json: { id: assetIds[index % assetIds.length], voiceId, script: scriptOf(index) },
	}));
}
