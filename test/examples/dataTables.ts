import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

export type Row = IDataObject & { id: number };

type Condition = Record<'keyName' | 'condition' | 'keyValue', string>;

const MATCHES: Record<string, (cell: unknown, value: unknown) => boolean> = {
	eq: (cell, value) => cell === value,
	neq: (cell, value) => cell !== value,
	lt: (cell, value) => (cell as number) < (value as number),
	isEmpty: (cell) => (cell ?? '') === '',
};

const tables = new Map<string, Row[]>();
let nextId = 1;
let interruption: { operation: number; interrupt: () => unknown } | undefined;

export function clearTables(): void {
	tables.clear();
	nextId = 1;
	interruption = undefined;
}

/** @returns the rows of a table, which stay from run to run */
export function openTable(name: string): Row[] {
	const rows = tables.get(name) ?? [];
	tables.set(name, rows);
	return rows;
}

export function addRow(name: string, values: IDataObject): Row {
	const row = { ...values, id: nextId++ };
	openTable(name).push(row);
	return row;
}

/**
 * Does something before an operation that comes later: 1 is the next one. Between two operations of
 * an execution, others may do theirs, and n8n may be killed.
 */
export function interruptTables(operation: number, interrupt: () => unknown): void {
	interruption = { operation, interrupt };
}

/** What the Data Table node does with its items. Nothing is locked from one item to the next. */
export async function runDataTable(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (const item of context.getInputData().keys()) {
		if (interruption && --interruption.operation === 0) await interruption.interrupt();
		const changed = structuredClone(changeRows(context, item));
		output.push(...changed.map((json) => ({ json, pairedItem: { item } })));
	}
	return output;
}

function changeRows(context: IExecuteFunctions, item: number): Row[] {
	const get = <T>(name: string, fallback?: T) =>
		context.getNodeParameter(name, item, fallback) as T;
	const { value: table } = get<{ value: string }>('dataTableId');
	const operation = get<string>('operation');
	const { value: values } = get<{ value: IDataObject }>('columns', { value: {} });
	if (operation === 'insert') return [addRow(table, values)];
	const { conditions } = get<{ conditions: Condition[] }>('filters');
	const isAll = get('matchType') === 'allConditions';
	const found = openTable(table).filter((row) => {
		const meets = (it: Condition) => MATCHES[it.condition]!(row[it.keyName], it.keyValue);
		return isAll ? conditions.every(meets) : conditions.some(meets);
	});
	if (operation === 'get') return get('returnAll', false) ? found : found.slice(0, get('limit'));
	if (operation === 'update') return found.map((row) => Object.assign(row, values));
	const kept = openTable(table).filter((row) => !found.includes(row));
	tables.set(table, kept);
	return found;
}
