import type { IDataObject } from 'n8n-workflow';

import type { NodeRequest } from './neighbours';

type Cell = string | number;

const COLUMNS = ['Title', 'Script', 'Language', 'State', 'Order', 'Video'];

/** A sheet as Google's API shows it: rows of cells, without the empty ones at their end. */
export class Sheet {
	readonly rows: Cell[][];

	constructor(
		rows: Partial<Record<string, Cell>>[],
		private readonly columns = COLUMNS,
	) {
		this.rows = [columns, ...rows.map((row) => this.toCells(row))];
	}

	/** The rows below the header. */
	get records(): Record<string, Cell>[] {
		return this.rows
			.slice(1)
			.map((row) =>
				Object.fromEntries(this.columns.map((name, index) => [name, row[index] ?? ''])),
			);
	}

	insertOnTop(row: Partial<Record<string, Cell>>): void {
		this.rows.splice(1, 0, this.toCells(row));
	}

	respond({ uri, method, body }: NodeRequest): unknown {
		if (method === 'GET') {
			if (!uri.includes('/values/')) {
				return { sheets: [{ properties: { sheetId: 1, title: 'Videos' } }] };
			}
			return { values: this.rows.map(trimEnd) };
		}
		for (const { range, values } of body!.data as { range: string; values: Cell[][] }[]) {
			const [, column, row] = /!([A-Z])(\d+)$/.exec(range) ?? [];
			if (!column) throw new Error(`400: Unable to parse range: ${range}`);
			this.rows[Number(row) - 1]![column.charCodeAt(0) - 65] = values[0]![0]!;
		}
		return {} satisfies IDataObject;
	}

	private toCells(row: Partial<Record<string, Cell>>): Cell[] {
		return this.columns.map((name) => row[name] ?? '');
	}
}

function trimEnd(row: Cell[]): Cell[] {
	const cells = [...row];
	while (cells.at(-1) === '') cells.pop();
	return cells;
}
