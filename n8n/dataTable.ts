import type { Session } from './session';

/** A row of a data table, with the ID n8n gave it. */
export type Row = Record<string, unknown> & { id: number };

interface Page {
	data: Row[];
	count: number;
}

const ROWS_PER_REQUEST = 100;

/**
 * Creates a data table with text columns in the owner's personal project and fills it.
 *
 * @returns its ID, and a function that reads its rows
 */
export async function createDataTable(
	session: Pick<Session, 'rest'>,
	{ name, columns, rows }: { name: string; columns: string[]; rows: Record<string, string>[] },
): Promise<{ id: string; readRows: () => Promise<Row[]> }> {
	const { id: project } = await session.rest<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${project}/data-tables`;
	const table = await session.rest<{ id: string }>('POST', tables, {
		name,
		columns: columns.map((column) => ({ name: column, type: 'string' })),
	});
	for (let start = 0; start < rows.length; start += ROWS_PER_REQUEST) {
		const data = rows.slice(start, start + ROWS_PER_REQUEST);
		await session.rest('POST', `${tables}/${table.id}/insert`, { data, returnType: 'count' });
	}
	const readRows = async () => {
		const read: Row[] = [];
		for (;;) {
			const query = `skip=${read.length}&take=${ROWS_PER_REQUEST}`;
			const { data, count } = await session.rest<Page>(
				'GET',
				`${tables}/${table.id}/rows?${query}`,
			);
			read.push(...data);
			if (data.length === 0 || read.length >= count) return read;
		}
	};
	return { id: table.id, readRows };
}
