import type { CaseResult } from '../runner/contenders';
import type { Summary } from '../runner/summarize';

import type { Results } from './documents';

type Figures = Record<string, string>;

const GENERATED = /(?<=<!-- figures -->\n).*(?=<!-- end of figures -->)/s;

/** Puts a run's figures into the page, which prettier formats later. */
export function updatePage(page: string, results: Results): string {
	const rows = [
		['', 'Avatar Studio : HTTP Request'],
		['-', '-'],
		...Object.entries(selectKeyFigures(results)),
	];
	const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
	return page.replace(GENERATED, `\n${table}\n\n${describeMachine(results)}\n\n`);
}

/** The few figures that matter, by name; those of parts that did not run are left out. */
export function selectKeyFigures({ items, lists, files, growth, ...run }: Results): Figures {
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

function formatRange(
	name: string,
	cases: CaseResult[],
	select: (ratios: CaseResult['ratios']) => Summary,
): Figures {
	if (cases.length === 0) return {};
	const medians = cases.map(({ ratios }) => select(ratios).median);
	const [least, most] = [Math.min(...medians).toFixed(2), Math.max(...medians).toFixed(2)];
	return { [name]: least === most ? least : `${least} to ${most}` };
}

function describeMachine({ machine }: Results): string {
	const { date, commit, minutes, processor, cores, memoryGb, system, load, n8n, node } = machine;
	return `Measured ${date} UTC at commit ${commit}, in ${minutes} minutes: ${processor}, ${cores} cores, ${memoryGb} GB, ${system}, load average ${load.toFixed(1)} before the run; n8n ${n8n} on Node.js ${node}.`;
}
