import { setTimeout as sleep } from 'node:timers/promises';

import { requireFromN8n } from './installation';
import type { Session } from './session';

const MAX_MS = 300_000;

/** One run of a workflow. */
export interface Execution {
	id: string;
	status: string;
	/** The node that ended it with an error, and its message. */
	error?: string;
	/** The JSON of each node's output items, all outputs together, by node name. */
	items: Record<string, Record<string, unknown>[]>;
}

interface RunData {
	resultData: {
		error?: { message: string };
		lastNodeExecuted?: string;
		runData: Record<string, { data?: { main?: ({ json: Record<string, unknown> }[] | null)[] } }[]>;
	};
}

/** Waits until an execution has finished and reads it. */
export async function readExecution(session: Session, id: string): Promise<Execution> {
	const deadline = Date.now() + MAX_MS;
	for (;;) {
		const { status, data } = await session.rest<{ status: string; data: string }>(
			'GET',
			`/executions/${id}`,
		);
		const isOver = !['new', 'running', 'waiting'].includes(status);
		// n8n 1.x may set the status before it has written the data.
		const written = requireFromN8n<{ parse(text: string): RunData | undefined }>('flatted').parse(
			data,
		);
		if (isOver && written) return toExecution(id, status, written);
		if (Date.now() > deadline) throw new Error(`Execution ${id} is still ${status}.`);
		await sleep(100);
	}
}

function toExecution(id: string, status: string, { resultData }: RunData): Execution {
	const items = Object.entries(resultData.runData).map(([node, runs]) => [
		node,
		runs.flatMap((run) => (run.data?.main ?? []).flatMap((output) => output ?? [])),
	]) as [string, { json: Record<string, unknown> }[]][];
	return {
		id,
		status,
		error: resultData.error && `${resultData.lastNodeExecuted}: ${resultData.error.message}`,
		items: Object.fromEntries(items.map(([node, list]) => [node, list.map(({ json }) => json)])),
	};
}
