import type { CaseResult } from './comparison';
import type { LimitResult } from './limits';
import type { Measurement } from './n8n';
import type { NodeName } from './nodes';
import type { PollComparison } from './polls';

/** The results of a run; parts that did not run are empty. */
export interface Results {
	items: CaseResult[];
	lists: CaseResult[];
	files: CaseResult[];
	limits: LimitResult[];
	polls: PollComparison[];
}

type Row = [name: string, avatarStudio: string, httpRequest: string, ratio: string];

function selectFigures(results: Results): Row[] {
	const { items, lists, files, limits } = results;
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

/** What a poll takes, beside the build that reads all, as the second table of docs/performance.md. */
export function formatPolls(polls: PollComparison[]): string {
	if (polls.length === 0) return '';
	const groups = new Map<string, PollComparison[]>();
	for (const poll of polls) {
		const order = poll.order === 'by name' ? poll.order : 'newest first or last';
		const name = `${poll.assets.toLocaleString('en')} assets, ${order}`;
		groups.set(name, [...(groups.get(name) ?? []), poll]);
	}
	const range = (
		group: PollComparison[],
		select: (poll: PollComparison) => number,
		digits: number,
	) => formatRange(group.map(select), digits);
	const rows = [...groups].map(([name, group]) => [
		name,
		range(group, ({ now }) => now.requests, 2),
		range(group, ({ baseline }) => baseline.requests, 0),
		`${range(group, ({ now }) => now.cpuMs, 1)} ms`,
		`${range(group, ({ baseline }) => baseline.cpuMs, 0)} ms`,
		range(group, ({ now, baseline }) => now.cpuMs / baseline.cpuMs, 2),
	]);
	const head = ['Per poll', 'Requests', 'all read', 'CPU', 'all read', 'Ratio'];
	return formatRows([head, ['---', '--:', '--:', '--:', '--:', '--:'], ...rows]);
}

function formatRows(rows: string[][]): string {
	return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The figures beside the HTTP Request node, as the first table of docs/performance.md. */
export function formatTable(results: Results): string {
	const rows = selectFigures(results);
	if (rows.length === 0) return '';
	const head = ['', 'Avatar Studio', 'HTTP Request', 'Ratio'];
	return formatRows([head, ['---', '--:', '--:', '--:'], ...rows]);
}
