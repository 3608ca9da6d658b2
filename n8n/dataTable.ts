import type { Session } from './session';

/** A row of a data table, with the ID n8n gave it. */
export type Row = Record<string, unknown> & { id: number };

/** A data table to create; all its columns hold text. */
export interface TableContent {
	name: string;
	columns: string[];
	rows: Record<string, string>[];
}

/** A data table in the owner's personal project. */
export interface DataTable {
	id: string;
	addRows(rows: TableContent['rows']): Promise<void>;
	readRows(): Promise<Row[]>;
}

type Api = Pick<Session, 'rest'>;

interface Page<T> {
	data: T[];
	count: number;
}

const ROWS_PER_REQUEST = 100;

/** Creates a data table and fills it. */
export async function createDataTable(
	session: Api,
	{ name, columns, rows }: TableContent,
): Promise<DataTable> {
	const tables = await tablesPath(session);
	const { id } = await session.rest<{ id: string }>('POST', tables, {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	});
	const table = accessTable(session, tables, id);
	await table.addRows(rows);
	return table;
}

/** Returns the data table with this name, if there is one. */
export async function findDataTable(session: Api, name: string): Promise<DataTable | undefined> {
	const tables = await tablesPath(session);
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await session.rest<Page<{ id: string; name: string }>>(
		'GET',
		`${tables}?filter=${filter}`,
	);
	// n8n's filter also finds names that only contain this one.
	const found = data.find((table) => table.name === name);
	return found && accessTable(session, tables, found.id);
}

async function tablesPath(session: Api): Promise<string> {
	const { id } = await session.rest<{ id: string }>('GET', '/projects/personal');
	return `/projects/${id}/data-tables`;
}

function accessTable(session: Api, tables: string, id: string): DataTable {
	return {
		id,
		async addRows(rows) {
			for (let start = 0; start < rows.length; start += ROWS_PER_REQUEST) {
				const data = rows.slice(start, start + ROWS_PER_REQUEST);
				await session.rest('POST', `${tables}/${id}/insert`, { data, returnType: 'count' });
			}
		},
		async readRows() {
			const read: Row[] = [];
			for (;;) {
				const query = `skip=${read.length}&take=${ROWS_PER_REQUEST}`;
				const { data, count } = await session.rest<Page<Row>>(
					'GET',
					`${tables}/${id}/rows?${query}`,
				);
				read.push(...data);
				if (data.length === 0 || read.length >= count) return read;
			}
		},
	};
}
