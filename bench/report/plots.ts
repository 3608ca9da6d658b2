import { init, type EChartsOption, type LineSeriesOption } from 'echarts';

import {
	describeLimit,
	TIMELINE_STEP_MS,
	type LimitResult,
	type LimitResults,
} from '../cases/limits';
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

/** The share of what the service allows, for each limit and number of executions. */
export function plotShares({ cases }: LimitResults): string {
	const titles = [...new Set(cases.map(titleOf))];
	const share = (node: Contender, title: string, isIncluded: (result: LimitResult) => boolean) =>
		cases.find((result) => result.node === node && titleOf(result) === title && isIncluded(result))
			?.share;
	const hasRetryAfter = ({ rateLimit }: LimitResult) => rateLimit.retryAfter !== undefined;
	const hasHeaders = ({ rateLimit }: LimitResult) => rateLimit.sendsHeaders === true;
	const series = [
		{
			...STYLES.avatarStudio,
			node: 'avatarStudio',
			isIncluded: (result: LimitResult) => !hasRetryAfter(result) && !hasHeaders(result),
		},
		{
			name: '… with Retry-After',
			color: '#5eead4',
			node: 'avatarStudio',
			isIncluded: hasRetryAfter,
		},
		{
			name: '… with RateLimit headers',
			color: '#134e4a',
			node: 'avatarStudio',
			isIncluded: hasHeaders,
		},
		{ ...STYLES.httpRequest, node: 'httpRequest', isIncluded: () => true },
	] as const;
	return render(120 + titles.length * 52, {
		title: { text: 'Share of what the service allows' },
		grid: { left: 230, right: 60, top: 80, bottom: 30 },
		xAxis: { type: 'value', max: 1 },
		yAxis: { type: 'category', inverse: true, data: titles },
		series: series.map(({ name, color, node, isIncluded }) => ({
			type: 'bar',
			name,
			color,
			label: { show: true, position: 'right' },
			data: titles.map((title) => {
				const value = share(node, title, isIncluded);
				return value === undefined ? null : Number(value.toFixed(2));
			}),
		})),
	});
}

/** The limiter's concurrency over time: for one execution per limit, and for the maximum. */
export function plotWidths({ cases }: LimitResults): string {
	const most = Math.max(...cases.map(({ executions }) => executions));
	const panels = cases.filter(
		({ node, executions, rateLimit: { retryAfter, sendsHeaders } }) =>
			node === 'avatarStudio' &&
			(executions === 1 || executions === most) &&
			retryAfter === undefined &&
			!sendsHeaders,
	);
	const seconds = (step: number) => (step * TIMELINE_STEP_MS) / 1000;
	return render(110 + Math.ceil(panels.length / 2) * 150, {
		title: { text: 'Requests in flight (left axis) and refused per second (right axis)' },
		grid: panels.map((_, index) => ({
			left: index % 2 === 0 ? 50 : 460,
			top: 110 + Math.floor(index / 2) * 150,
			width: 300,
			height: 90,
		})),
		xAxis: panels.map((_, gridIndex) => ({ gridIndex, type: 'value', name: 's' })),
		yAxis: panels.flatMap((result, gridIndex) => [
			{
				gridIndex,
				name: titleOf(result),
				nameTextStyle: { align: 'left' },
				max: ({ max }) => Math.ceil(Math.max(max, allowedInFlight(result))),
			},
			{ gridIndex, splitLine: { show: false }, minInterval: 1 },
		]),
		series: panels.flatMap((panel, index) => [
			{
				type: 'line',
				name: 'In flight',
				color: STYLES.avatarStudio.color,
				xAxisIndex: index,
				yAxisIndex: index * 2,
				showSymbol: false,
				data: panel.timeline.map(({ inFlight }, step) => [seconds(step), inFlight]),
				markLine: {
					symbol: 'none',
					label: { show: false },
					data: [{ yAxis: allowedInFlight(panel) }],
				},
			},
			{
				type: 'line',
				name: 'Refused',
				color: STYLES.httpRequest.color,
				lineStyle: { width: 1 },
				xAxisIndex: index,
				yAxisIndex: index * 2 + 1,
				showSymbol: false,
				data: panel.timeline.map(({ refused }, step) => [
					seconds(step),
					(refused * 1000) / TIMELINE_STEP_MS,
				]),
			},
		]),
	});
}

function allowedInFlight({ rateLimit, latencyMs }: LimitResult): number {
	return rateLimit.concurrent ?? (rateLimit.perSecond! * latencyMs) / 1000;
}

function titleOf({
	rateLimit: { concurrent, perSecond },
	latencyMs,
	executions,
}: LimitResult): string {
	const limit = describeLimit({ rateLimit: { concurrent, perSecond }, latencyMs });
	return `${limit}; ${executions === 1 ? 'one execution' : `${executions} executions at once`}`;
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
