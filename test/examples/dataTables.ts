import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { exampleTables } from '../../n8n/examples';

/** A row of a data table. */
export type Row = IDataObject & { id: number; createdAt: Date };

type Value = Row[string] | Date;

interface Query {
	filter?: {
		type: 'and' | 'or';
		filters: { columnName: string; condition: string; value: Value }[];
	};
	take?: number;
}

const MATCHES: Record<string, (cell: Value, value: Value) => boolean> = {
	eq: (cell, value) => cell === value,
	neq: (cell, value) => cell !== value,
	lt: (cell, value) => cell! < value!,
	lte: (cell, value) => cell! <= value!,
	isEmpty: (cell) => (cell ?? '') === '',
};

const tables = new Map<string, DataTable>();
let operations = 0;
let interruption: { operation: number; interrupt: () => unknown } | undefined;

/** Empties all tables. */
export function clearTables(): void {
	tables.clear();
	interruption = undefined;
}

/** @returns a table of the examples, which keeps its rows from run to run */
export function openTable(name: string): DataTable {
	const table = tables.get(name) ?? new DataTable(name);
	tables.set(name, table);
	return table;
}

/**
 * Does something before an operation that comes later: 1 is the next one. Between two operations of
 * an execution, others may do theirs, and n8n may be killed.
 */
export function interruptTables(operation: number, interrupt: () => unknown): void {
	interruption = { operation: operations + operation, interrupt };
}

/**
 * A data table as n8n hands it to its nodes. Each operation is a transaction; nothing is locked from
 * one to the next. n8n 1.x does not sort rows unless it is told to: the newest come first here.
 */
export class DataTable {
	rows: Row[] = [];
	private lastId = 0;
	private readonly columns: string[];

	constructor(name: string) {
		this.columns = exampleTables.find((table) => table.name === name)!.columns;
	}

	async getColumns(): Promise<{ name: string; type: string }[]> {
		return await Promise.resolve(this.columns.map((name) => ({ name, type: 'string' })));
	}

	async insertRows(values: IDataObject[]): Promise<IDataObject[]> {
		await start();
		const added = values.map((row): Row => {
			this.requireColumns(Object.keys(row));
			const cells = Object.fromEntries(this.columns.map((name) => [name, row[name] ?? null]));
			return { ...cells, id: ++this.lastId, createdAt: new Date() };
		});
		this.rows.push(...added);
		return structuredClone(added);
	}

	async getManyRowsAndCount({ take, ...query }: Query): Promise<{ data: Row[]; count: number }> {
		await start();
		const found = this.find(query).reverse();
		return { data: structuredClone(found.slice(0, take)), count: found.length };
	}

	async updateRows({ data, ...query }: Query & { data: IDataObject }): Promise<IDataObject[]> {
		await start();
		this.requireColumns(Object.keys(data));
		return structuredClone(this.find(query).map((row) => Object.assign(row, data)));
	}

	async deleteRows(query: Query): Promise<IDataObject[]> {
		await start();
		const deleted = this.find(query);
		this.rows = this.rows.filter((row) => !deleted.includes(row));
		return deleted;
	}

	private find({ filter }: Query): Row[] {
		const { type, filters } = filter!;
		return this.rows.filter((row) => {
			const results = filters.map(({ columnName, condition, value }) => {
				if (!(columnName in row)) this.requireColumns([columnName]);
				return MATCHES[condition]!(row[columnName], value);
			});
			return type === 'and' ? results.every(Boolean) : results.some(Boolean);
		});
	}

	private requireColumns(names: string[]): void {
		const unknown = names.filter((name) => !this.columns.includes(name));
		if (unknown.length > 0) throw new Error(`unknown column name '${unknown.join()}'`);
	}
}

async function start(): Promise<void> {
	operations++;
	if (operations !== interruption?.operation) return;
	const { interrupt } = interruption;
	interruption = undefined;
	await interrupt();
}

/** What the Data Table node does with its items. */
export async function runDataTable(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const get = <T>(name: string, item: number, fallback?: T) =>
		context.getNodeParameter(name, item, fallback) as T;
	const items = context.getInputData();
	const table = openTable(get<{ value: string }>('dataTableId', 0).value);
	const operation = get<string>('operation', 0);
	const getValues = (item: number) => get<{ value: IDataObject }>('columns', item).value;
	if (operation === 'insert') {
		const rows = await table.insertRows(items.map((_, item) => getValues(item)));
		return rows.map((json, item) => ({ json, pairedItem: { item } }));
	}
	const output: INodeExecutionData[] = [];
	for (const item of items.keys()) {
		const { conditions } = get<{ conditions: IDataObject[] }>('filters', item);
		const isAll = get<string>('matchType', item) === 'allConditions';
		const filters = conditions.map(({ keyName, condition, keyValue }) => ({
			columnName: keyName as string,
			condition: condition as string,
			value: keyName === 'createdAt' ? new Date(keyValue as string) : keyValue,
		}));
		const filter = { type: isAll ? ('and' as const) : ('or' as const), filters };
		const take = get('returnAll', item, false) ? undefined : get('limit', item, 50);
		const results: Record<string, () => Promise<IDataObject[]>> = {
			get: async () => (await table.getManyRowsAndCount({ filter, take })).data,
			update: async () => await table.updateRows({ filter, data: getValues(item) }),
			deleteRows: async () => await table.deleteRows({ filter }),
		};
		const rows = await results[operation]!();
		output.push(...rows.map((json) => ({ json, pairedItem: { item } })));
	}
	return output;
}
