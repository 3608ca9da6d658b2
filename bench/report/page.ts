import type { LimitResult, LimitResults } from '../cases/limits';
import type { CaseResult } from '../runner/contenders';
import type { Machine } from '../runner/machine';
import type { Summary } from '../runner/summarize';

import type { Results } from './documents';

type Figures = Record<string, string>;

/** A part of the page that the bench writes. */
export interface Section {
	name: 'comparison' | 'limits';
	figures: Figures;
	/** Title and file name of each. */
	plots: [title: string, fileName: string][];
}

/** Replaces a section of the page, which prettier formats later. */
export function updatePage(
	page: string,
	machine: Machine,
	{ name, figures, plots }: Section,
): string {
	const rows = [['', 'Avatar Studio : HTTP Request'], ['-', '-'], ...Object.entries(figures)];
	const content = [
		rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
		describeMachine(machine),
		...plots.map(([title, fileName]) => `![${title}](${fileName})`),
	];
	const written = new RegExp(`(?<=<!-- ${name} -->\n).*(?=<!-- end of ${name} -->)`, 's');
	return page.replace(written, `\n${content.join('\n\n')}\n\n`);
}

/** The key figures by name; those of parts that did not run are left out. */
export function selectComparison({ items, lists, files, growth, ...run }: Results): Figures {
	const many = [...items, ...growth].filter(({ title, size }) => title !== 'List' && size >= 100);
	const single = items.filter(({ size }) => size === 1);
	const slowLists = lists.filter(({ latencyMs }) => latencyMs > 0);
	return {
		...formatRange('CPU, 100 items or more', many, ({ cpuMs }) => cpuMs),
		...formatRange('Time, 100 items or more', many, ({ wallMs }) => wallMs),
		...formatRange('Time, a single item', single, ({ wallMs }) => wallMs),
		...formatRange('Time, list of 100 pages, 50 ms latency', slowLists, ({ wallMs }) => wallMs),
		...formatRange('Time, download of 200 MB', files, ({ wallMs }) => wallMs),
		...formatRange('Memory, download of 200 MB', files, ({ memoryMb }) => memoryMb!),
		...(run.package && {
			'Loading the code': `${run.package.loadMs.toFixed(0)} : ${run.package.httpRequestLoadMs.toFixed(0)} ms`,
			'Size of our package': `${run.package.unpackedKb.toFixed(1)} kB`,
		}),
	};
}

/** The same for the part limits. */
export function selectLimits({ cases, fairness }: LimitResults): Figures {
	const compare = (
		describe: (results: LimitResult[]) => string,
		isIncluded: (result: LimitResult) => boolean = () => true,
	) =>
		(['avatarStudio', 'httpRequest'] as const)
			.map((node) => cases.filter((result) => result.node === node && isIncluded(result)))
			.map(describe)
			.join(' : ');
	const sum =
		(figure: 'failedExecutions' | 'executions' | 'lostResults') => (results: LimitResult[]) =>
			String(results.reduce((total, result) => total + result[figure], 0));
	const shares = (results: LimitResult[]) => formatNumbers(results.map(({ share }) => share));
	return {
		'Share of what is allowed, one execution': compare(
			shares,
			({ executions }) => executions === 1,
		),
		'Share of what is allowed, many at once': compare(shares, ({ executions }) => executions > 1),
		'Refused requests per admitted request': compare((results) =>
			formatNumbers(results.map(({ refused, admitted }) => refused / admitted)),
		),
		'Failed executions': compare(
			(results) => `${sum('failedExecutions')(results)} of ${sum('executions')(results)}`,
		),
		'Results paid for and lost': compare(sum('lostResults')),
		'10 items, alone and beside 5,000 items': `${formatSeconds(fairness.aloneMs)} and ${formatSeconds(fairness.besideMs)}`,
	};
}

function formatSeconds(milliseconds: number): string {
	return `${(milliseconds / 1000).toFixed(2)} s`;
}

function formatRange(
	name: string,
	cases: CaseResult[],
	select: (ratios: CaseResult['ratios']) => Summary,
): Figures {
	if (cases.length === 0) return {};
	return { [name]: formatNumbers(cases.map(({ ratios }) => select(ratios).median)) };
}

function formatNumbers(numbers: number[]): string {
	const [least, most] = [Math.min(...numbers).toFixed(2), Math.max(...numbers).toFixed(2)];
	return least === most ? least : `${least} to ${most}`;
}

function describeMachine(machine: Machine): string {
	const { date, commit, processor, cores, memoryGb, system, load, n8n, node } = machine;
	return `Measured ${date} UTC at commit ${commit}: ${processor}, ${cores} cores, ${memoryGb} GB, ${system}, load average ${load.toFixed(1)} before the run; n8n ${n8n} on Node.js ${node}.`;
}
