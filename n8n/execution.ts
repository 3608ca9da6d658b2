import { requireFromN8n } from './installation';

/** One run of a workflow. */
export interface Execution {
	id: string;
	status: string;
	/** The node that ended it with an error, and its message. */
	error?: string;
	/** The JSON of each node's output items, all outputs together, by node name. */
	items: Record<string, Record<string, unknown>[]>;
}

/** An execution as n8n's API returns it. */
export interface StoredExecution {
	id: string;
	status: string;
	/** RunData, packed with "flatted". */
	data: string;
}

interface RunData {
	resultData: {
		error?: { message: string };
		lastNodeExecuted?: string;
		runData: Record<string, { data?: { main?: ({ json: Record<string, unknown> }[] | null)[] } }[]>;
	};
}

/** Reads an execution; undefined while it is running. */
export function readExecution({ id, status, data }: StoredExecution): Execution | undefined {
	if (['new', 'running', 'waiting'].includes(status)) return undefined;
	const flatted = requireFromN8n<{ parse(text: string): RunData | undefined }>('flatted');
	const written = flatted.parse(data);
	// n8n 1.x may set the status before it has written the data.
	if (!written) return undefined;
	const { error, lastNodeExecuted, runData } = written.resultData;
	const items = Object.entries(runData).map(([node, runs]) => {
		const outputs = runs.flatMap((run) => run.data?.main ?? []);
		return [node, outputs.flatMap((output) => output ?? []).map(({ json }) => json)] as const;
	});
	return {
		id,
		status,
		error: error && `${lastNodeExecuted}: ${error.message}`,
		items: Object.fromEntries(items),
	};
}
