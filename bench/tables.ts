import { CONTENDERS, type Contender, type Figures } from './contenders';
import type { CaseResult, ProfileResult, Results } from './results';
import type { Spread } from './statistics';

const NAMES: Record<Contender, string> = {
	ours: 'Avatar Studio',
	http: 'HTTP Request',
	wire: 'bare wire',
};

type Row = string[];

/** Every figure of a run as Markdown tables; they read well in a terminal too. */
export function tables(results: Results): string {
	const { items, lists, files, profiles, growth, package: figures, targets } = results;
	return [
		section('Targets', [
			['To reach', 'Limit', 'Measured', 'Worst case', 'Cases within', 'Met'],
			...targets.map(({ title, limit, value, worst, cases, met }) => [
				title,
				`≤ ${limit}`,
				value.toFixed(2),
				worst,
				cases,
				met ? 'yes' : '**no**',
			]),
		]),
		section('Per item', caseRows(items, 'Items', byItem)),
		section('Lists', caseRows(lists, 'Pages of 100', whole)),
		section('Files', fileRows(files)),
		section('The package', figures ? packageRows(figures) : []),
		section('Where the main thread’s time goes, ms per item', profileRows(profiles)),
		section('More and more items', caseRows(growth.items, 'Items', grown)),
		section('More and more pages', caseRows(growth.pages, 'Pages of 100', grown)),
	]
		.filter((text) => text !== '')
		.join('\n\n');
}

interface Columns {
	titles: Row;
	of: (figures: Figures, size: number) => Row;
}

const byItem: Columns = {
	titles: [
		'CPU ms per item',
		'Wall ms',
		'Requests',
		'Connections',
		'Evaluations',
		'Credential reads',
	],
	of: (figures, size) => [spread(figures.cpuMs, size), spread(figures.wallMs), ...counts(figures)],
};

const whole: Columns = {
	titles: ['CPU ms', 'Wall ms', 'Requests', 'Connections', 'Evaluations', 'Credential reads'],
	of: (figures) => [spread(figures.cpuMs), spread(figures.wallMs), ...counts(figures)],
};

const grown: Columns = {
	titles: ['CPU ms', 'Wall ms', 'Peak memory MB', 'Grown by MB'],
	of: ({ cpuMs, wallMs, peakRss, grownRss }) => [
		spread(cpuMs),
		spread(wallMs),
		megabytes(peakRss.median),
		megabytes(grownRss.median),
	],
};

function caseRows(results: CaseResult[], unit: string, columns: Columns): Row[] {
	if (results.length === 0) return [];
	return [
		['Job', unit, 'Latency', 'By', ...columns.titles, 'CPU ratio', 'Wall ratio'],
		...results.flatMap((result) =>
			CONTENDERS.map((contender) => [
				contender === 'ours' ? result.title : '',
				contender === 'ours' ? result.size.toLocaleString('en') : '',
				contender === 'ours' ? `${result.latencyMs} ms` : '',
				NAMES[contender],
				...columns.of(result.contenders[contender], result.size),
				contender === 'ours' ? spread(result.ratios.cpuMs) : '',
				contender === 'ours' ? spread(result.ratios.wallMs) : '',
			]),
		),
	];
}

function fileRows([file]: CaseResult[]): Row[] {
	if (!file) return [];
	return [
		[
			'By',
			'MB',
			'CPU ms',
			'Wall ms',
			'Peak memory MB',
			'Grown by MB',
			'Read buffers MB',
			'CPU ratio',
			'Wall ratio',
			'Memory ratio',
		],
		...CONTENDERS.map((contender) => {
			const { cpuMs, wallMs, peakRss, grownRss, buffers } = file.contenders[contender];
			const ratio = (value: Spread) => (contender === 'ours' ? spread(value) : '');
			return [
				NAMES[contender],
				megabytes(file.size),
				spread(cpuMs),
				spread(wallMs),
				megabytes(peakRss.median),
				`${megabytes(grownRss.median)} (${megabytes(grownRss.min)}–${megabytes(grownRss.max)})`,
				megabytes(buffers.median),
				ratio(file.ratios.cpuMs),
				ratio(file.ratios.wallMs),
				ratio(file.ratios.grownRss!),
			];
		}),
	];
}

function packageRows(figures: NonNullable<Results['package']>): Row[] {
	const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
	return [
		['What', 'Figure'],
		['Unpacked', `${kilobytes(figures.unpackedBytes)} in ${figures.files} files`],
		['Packed', kilobytes(figures.packedBytes)],
		['Source maps and build residue', figures.residue.join(', ') || 'none'],
		['Loading both nodes and the credential', `${spread(figures.loadMs)} ms`],
		['Loading the HTTP Request node', `${spread(figures.httpRequestLoadMs)} ms`],
		['In n8n’s node list after it was added', `${spread(figures.addedMs)} ms`],
		['Of that, n8n’s loader reads the package', `${spread(figures.loadedMs)} ms`],
		['n8n’s own node list after a start of n8n', `${(figures.nodeListMs / 1000).toFixed(1)} s`],
		...Object.entries(figures.typesBytes).map(([node, bytes]) => [
			`${node} in the editor’s types`,
			kilobytes(bytes),
		]),
		['HTTP Request in the editor’s types', kilobytes(figures.httpRequestTypesBytes)],
	];
}

function profileRows(profiles: ProfileResult[]): Row[] {
	if (profiles.length === 0) return [];
	const columns = profiles.flatMap(({ title, items, ...nodes }) =>
		(['ours', 'http'] as const).map((node) => ({
			title: `${title}, ${NAMES[node]}`,
			perItem: (owner: string) => (nodes[node][owner] ?? 0) / items,
		})),
	);
	const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
	const owners = [
		...new Set(profiles.flatMap(({ ours, http }) => [...Object.keys(ours), ...Object.keys(http)])),
	];
	const all = (owner: string) => sum(columns.map(({ perItem }) => perItem(owner)));
	const rows = owners
		.sort((one, other) => all(other) - all(one))
		.map((owner) => [owner, ...columns.map(({ perItem }) => perItem(owner).toFixed(2))]);
	const totals = columns.map(({ perItem }) => sum(owners.map(perItem)).toFixed(2));
	return [['Whose', ...columns.map(({ title }) => title)], ...rows, ['all', ...totals]];
}

function counts({ requests, connections, evaluations, credentialReads }: Figures): Row {
	return [requests, connections, evaluations, credentialReads].map((count) =>
		count.toLocaleString('en'),
	);
}

/** @param per what the figure is to be divided by */
function spread({ median, min, max }: Spread, per = 1): string {
	const digits = median / per < 10 ? 2 : 0;
	const [middle, least, most] = [median, min, max].map((value) => (value / per).toFixed(digits));
	return min === max ? middle! : `${middle} (${least}–${most})`;
}

function megabytes(bytes: number): string {
	return (bytes / 1e6).toFixed(0);
}

function section(title: string, rows: Row[]): string {
	if (rows.length < 2) return '';
	const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	const line = (row: Row) =>
		`| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
	const [head, ...body] = rows;
	const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
	return [`### ${title}`, '', line(head!), rule, ...body.map(line)].join('\n');
}
