import { init, type EChartsOption } from 'echarts';

import type { CaseResult } from './comparison';
import { describeLimit, type LimitResult } from './limits';
import type { Measurement } from './n8n';
import { NODE_NAMES, type NodeName } from './nodes';

/** The results of a run; parts that did not run are empty. */
export interface Results {
	items: CaseResult[];
	lists: CaseResult[];
	files: CaseResult[];
	/** Milliseconds. */
	loading?: Record<NodeName, number>;
	limits: LimitResult[];
}

type Row = [name: string, avatarStudio: string, httpRequest: string, ratio: string];

const STYLES: Record<NodeName, { name: string; color: string }> = {
	avatarStudio: { name: 'Avatar Studio', color: '#0d9488' },
	httpRequest: { name: 'HTTP Request', color: '#ea580c' },
};

/** The key figures; those of parts that did not run are left out. */
export function selectFigures(results: Results): Row[] {
	const { items, lists, files, loading, limits } = results;
	const many = items.filter((result) => result.items >= 100);
	const single = items.filter((result) => result.items === 1);
	const slowLists = lists.filter(({ latencyMs }) => latencyMs > 0);
	const rows = [
		...compareCosts('CPU per item, 100 items or more', many, 'cpuMs'),
		...compareCosts('Time per item, 100 items or more', many, 'wallMs'),
		...compareCosts('Time, a single item', single, 'wallMs'),
		...compareCosts('Time, list of 100 pages, 50 ms latency', slowLists, 'wallMs'),
		...compareCosts('Time, download of 200 MB', files, 'wallMs'),
		...compareCosts('Memory, download of 200 MB', files, 'memoryMb'),
	];
	if (loading) {
		const { avatarStudio, httpRequest } = loading;
		const times = [`${avatarStudio.toFixed(0)} ms`, `${httpRequest.toFixed(0)} ms`] as const;
		rows.push(['Loading the code', ...times, (avatarStudio / httpRequest).toFixed(2)]);
	}
	if (limits.length > 0) rows.push(...compareLimits(limits));
	return rows;
}

function compareCosts(name: string, cases: CaseResult[], figure: keyof Measurement): Row[] {
	if (cases.length === 0) return [];
	const describe = (node: NodeName) => {
		const numbers = cases.map(({ figures, items }) => figures[node][figure] / items);
		const range = formatRange(numbers, Math.max(...numbers) < 10 ? 1 : 0);
		return `${range} ${figure === 'memoryMb' ? 'MB' : 'ms'}`;
	};
	const ratios = cases.map((result) => result.ratios[figure]);
	return [[name, describe('avatarStudio'), describe('httpRequest'), formatRange(ratios, 2)]];
}

function compareLimits(limits: LimitResult[]): Row[] {
	const one = limits.filter(({ executions }) => executions === 1);
	const several = limits.filter(({ executions }) => executions > 1);
	const range = (select: (result: LimitResult) => number) => (results: LimitResult[]) =>
		formatRange(results.map(select), 2);
	const sum = (select: (result: LimitResult) => number) => (results: LimitResult[]) =>
		String(results.reduce((total, result) => total + select(result), 0));
	const failed = sum(({ failedExecutions }) => failedExecutions);
	const all = sum(({ executions }) => executions);
	const rows: [string, LimitResult[], (results: LimitResult[]) => string][] = [
		['Share of a limit, one execution', one, range(({ share }) => share)],
		['Share of a limit, several executions', several, range(({ share }) => share)],
		['Refused requests per admitted one', limits, range((of) => of.refused / of.admitted)],
		['Failed executions', limits, (results) => `${failed(results)} of ${all(results)}`],
		['Results paid for and lost', limits, sum(({ lostResults }) => lostResults)],
	];
	return rows.map(([name, results, describe]) => {
		const cell = (of: NodeName) => describe(results.filter(({ node }) => node === of));
		return [name, cell('avatarStudio'), cell('httpRequest'), ''];
	});
}

function formatRange(numbers: number[], digits: number): string {
	const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
	const [least, most] = [Math.min(...numbers), Math.max(...numbers)].map((number) =>
		number.toLocaleString('en', format),
	);
	return least === most ? String(least) : `${least} to ${most}`;
}

/** Replaces the table of the page, which is to be formatted. */
export function updatePage(page: string, results: Results, machine: string): string {
	const { avatarStudio, httpRequest } = STYLES;
	const header = ['', avatarStudio.name, httpRequest.name, 'Ratio'];
	const table = [header, ['-', '-:', '-:', '-:'], ...selectFigures(results)]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
	const written = /(?<=<!-- figures -->\n).*(?=<!-- end of figures -->)/s;
	return page.replace(written, `\n${table}\n\n${machine}\n\n`);
}

/** CPU time per item of each kind of request, in the largest case without latency. */
export function plotCpuPerItem({ items }: Results): string {
	const largest = Math.max(...items.map((result) => result.items));
	const cases = items.filter((result) => result.items === largest && result.latencyMs === 0);
	return render(340, {
		title: { text: `CPU per item in ms, ${largest.toLocaleString('en')} items` },
		grid: { left: 150, right: 50, top: 80, bottom: 30 },
		xAxis: { type: 'value' },
		yAxis: { type: 'category', inverse: true, data: cases.map(({ title }) => title) },
		series: NODE_NAMES.map((node) => ({
			type: 'bar',
			...STYLES[node],
			label: { show: true, position: 'right' },
			data: cases.map((result) => (result.figures[node].cpuMs / result.items).toFixed(1)),
		})),
	});
}

/** The share of what the service allows, for each limit and number of executions. */
export function plotShares({ limits }: Results): string {
	const titles = [...new Set(limits.map(describeLimit))];
	const { avatarStudio, httpRequest } = STYLES;
	const colors = {
		[avatarStudio.name]: avatarStudio.color,
		'… with Retry-After': '#5eead4',
		'… with RateLimit headers': '#134e4a',
		[httpRequest.name]: httpRequest.color,
	};
	const seriesOf = ({ node, rateLimit: { retryAfter, sendsHeaders } }: LimitResult) => {
		if (retryAfter !== undefined) return '… with Retry-After';
		return sendsHeaders ? '… with RateLimit headers' : STYLES[node].name;
	};
	return render(120 + titles.length * 28, {
		title: { text: 'Share of what the service allows' },
		grid: { left: 240, right: 30, top: 80, bottom: 30 },
		xAxis: { type: 'value', min: 0, max: 1 },
		yAxis: { type: 'category', inverse: true, data: titles, splitLine: { show: true } },
		series: Object.entries(colors).map(([name, color]) => ({
			type: 'scatter',
			name,
			color,
			symbolSize: 13,
			data: limits
				.filter((result) => seriesOf(result) === name)
				.map((result) => [result.share.toFixed(2), describeLimit(result)]),
		})),
	});
}

function render(height: number, option: EChartsOption): string {
	const chart = init(null, null, { renderer: 'svg', ssr: true, width: 820, height });
	chart.setOption({ animation: false, backgroundColor: '#ffffff', legend: { top: 42 }, ...option });
	const svg = chart.renderToSVGString();
	chart.dispose();
	return `${svg}\n`;
}
