import { init, type EChartsOption, type LineSeriesOption } from 'echarts';

import { CONTENDERS, type CaseResult, type Contender } from '../runner/contenders';

import type { Results } from './documents';

const STYLES: Record<Contender, { name: string; color: string }> = {
	avatarStudio: { name: 'Avatar Studio', color: '#0d9488' },
	httpRequest: { name: 'HTTP Request', color: '#ea580c' },
	baseline: { name: 'Plain fetch', color: '#9ca3af' },
};

const WIDTH = 820;

/** CPU time per item of each kind of request, in the largest case without latency. */
export function plotCpuPerItem({ items }: Results): string {
	const largest = Math.max(...items.map(({ size }) => size));
	const cases = items.filter(({ size, latencyMs }) => size === largest && latencyMs === 0);
	return render(360, {
		title: { text: `CPU milliseconds per item, ${largest.toLocaleString('en')} items` },
		grid: { left: 150, right: 60, top: 80, bottom: 30 },
		xAxis: { type: 'value' },
		yAxis: { type: 'category', inverse: true, data: cases.map(({ title }) => title) },
		series: CONTENDERS.map((contender) => ({
			type: 'bar',
			...STYLES[contender],
			label: { show: true, position: 'right' },
			data: cases.map(({ figures, size }) => Number((figures[contender].cpuMs / size).toFixed(2))),
		})),
	});
}

/** Time and memory as the work grows. */
export function plotGrowth({ growth }: Results): string {
	const lists = growth.filter(({ title }) => title === 'List');
	const requests = growth.filter((growing) => !lists.includes(growing));
	const seconds = (contender: Contender) => (growing: CaseResult) =>
		growing.figures[contender].wallMs / 1000;
	// A logarithmic axis has no zero.
	const memory = (contender: Contender) => (growing: CaseResult) =>
		Math.max(growing.figures[contender].memoryMb, 1);
	const panels = [
		{ cases: requests, unit: 'items', title: 'seconds', value: seconds },
		{ cases: requests, unit: 'items', title: 'more memory, MB', value: memory },
		{ cases: lists, unit: 'pages of 100', title: 'seconds', value: seconds },
		{ cases: lists, unit: 'pages of 100', title: 'more memory, MB', value: memory },
	];
	return render(640, {
		title: { text: 'Time and memory as the work grows' },
		grid: panels.map((_, index) => ({
			left: index % 2 === 0 ? 60 : 480,
			top: index < 2 ? 100 : 385,
			width: 310,
			height: 190,
		})),
		xAxis: panels.map(({ unit }, gridIndex) => ({
			gridIndex,
			type: 'log',
			name: unit,
			nameLocation: 'middle',
			nameGap: 26,
		})),
		yAxis: panels.map(({ title }, gridIndex) => ({ gridIndex, type: 'log', name: title })),
		series: panels.flatMap(({ cases, value }, panel) =>
			CONTENDERS.map(
				(contender): LineSeriesOption => ({
					type: 'line',
					...STYLES[contender],
					xAxisIndex: panel,
					yAxisIndex: panel,
					data: cases.map((growing) => [growing.size, value(contender)(growing)]),
				}),
			),
		),
	});
}

function render(height: number, option: EChartsOption): string {
	const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
	chart.setOption({
		animation: false,
		backgroundColor: '#ffffff',
		legend: { top: 40 },
		...option,
	});
	const svg = chart.renderToSVGString();
	chart.dispose();
	return `${svg}\n`;
}
