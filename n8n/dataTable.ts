import type { Session } from './session';

/** A row of a data table, with the ID n8n gave it. */
export type Row = Record<string, unknown> & { id: number };

/** A data table to create; all its columns hold text. */
export interface TableContent {
	name: string;
	columns: string[];
	rows: Record<string, string>[];
}

interface Page<T> {
	data: T[];
	count: number;
}

/** A data table in the owner's personal project. */
export class DataTable {
	constructor(
		private readonly session: Session,
		private readonly path: string,
		readonly id: string,
	) {}

	async addRows(rows: TableContent['rows']): Promise<void> {
		const body = { data: rows, returnType: 'count' };
		await this.session.rest('POST', `${this.path}/${this.id}/insert`, body);
	}

	async readRows(): Promise<Row[]> {
		const rows: Row[] = [];
		for (;;) {
			const path = `${this.path}/${this.id}/rows?skip=${rows.length}`;
			const { data, count } = await this.session.rest<Page<Row>>('GET', path);
			rows.push(...data);
			if (data.length === 0 || rows.length >= count) return rows;
		}
	}
}

/** Creates a data table and fills it. */
export async function createDataTable(
	session: Session,
	{ name, columns, rows }: TableContent,
): Promise<DataTable> {
	const path = await tablesPath(session);
	const { id } = await session.rest<{ id: string }>('POST', path, {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	});
	const table = new DataTable(session, path, id);
	await table.addRows(rows);
	return table;
}

/** Returns the data table with this name, if there is one. */
export async function findDataTable(
	session: Session,
	name: string,
): Promise<DataTable | undefined> {
	const path = await tablesPath(session);
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await session.rest<Page<{ id: string; name: string }>>(
		'GET',
		`${path}?filter=${filter}`,
	);
	// n8n's filter also finds names that only contain this one.
	const found = data.find((table) => table.name === name);
	return found && new DataTable(session, path, found.id);
}

async function tablesPath(session: Session): Promise<string> {
	const { id } = await session.rest<{ id: string }>('GET', '/projects/personal');
	return `/projects/${id}/data-tables`;
}
