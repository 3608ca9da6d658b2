import type { Contender, Figures } from './contenders';
import { bars, plot, type Line } from './plot';
import type { CaseResult, Results } from './results';

const LOOKS: Record<Contender, { name: string; colour: string }> = {
	ours: { name: 'Avatar Studio', colour: '#0d9488' },
	http: { name: 'HTTP Request', colour: '#ea580c' },
	wire: { name: 'Bare wire', colour: '#9ca3af' },
};

const ALL: Contender[] = ['ours', 'http', 'wire'];

/** The plots of a run, by file name. */
export function plots({ items, growth }: Results): Record<string, string> {
	return {
		'performance.svg': overview(items),
		'performance-items.svg': grown(growth.items, 'One request per item', 'items'),
		'performance-pages.svg': grown(growth.pages, 'A list in pages of 100', 'pages'),
	};
}

/** CPU of one item, the largest number of items without latency: what the README shows. */
function overview(items: CaseResult[]): string {
	const largest = Math.max(...items.map(({ size }) => size));
	const shown = items.filter(({ size, latencyMs }) => size === largest && latencyMs === 0);
	return bars(
		shown.map((result) => ({
			title: result.title,
			values: ALL.map((contender) => result.contenders[contender].cpuMs.median / result.size),
			note: `${Math.round(result.ratios.cpuMs.median * 100)} % of the HTTP Request node`,
		})),
		ALL.map((contender) => LOOKS[contender]),
		`CPU milliseconds for each of ${largest.toLocaleString('en')} items`,
	);
}

function grown(results: CaseResult[], title: string, unit: string): string {
	const lines = (value: (figures: Figures) => number): Line[] =>
		ALL.map((contender) => ({
			...LOOKS[contender],
			points: results.map(({ size, contenders }) => [size, value(contenders[contender])]),
		}));
	return plot(
		[
			{
				title,
				xTitle: unit,
				yTitle: 'seconds',
				lines: lines(({ wallMs }) => wallMs.median / 1000),
			},
			{
				title,
				xTitle: unit,
				yTitle: 'more memory, MB',
				// A logarithm wants more than nothing.
				lines: lines(({ grownRss }) => Math.max(grownRss.median / 1e6, 1)),
			},
		],
		`${title}: time and memory as the work grows`,
	);
}
