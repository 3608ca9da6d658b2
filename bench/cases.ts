import type { Case, Contenders } from './contenders';
import type { Expressions } from './job';
import type { CaseResult, ProfileResult, Results } from './results';
import { spreadOf } from './statistics';

const LATENCIES = [0, 50];
const PER_PAGE = 100;

/** One request per item: what it is, and how many of its fields are expressions. */
const REQUESTS: [what: 'get' | 'create', expressions: Expressions][] = [
	['get', 0],
	['get', 1],
	['create', 0],
	['create', 1],
	['create', 2],
];

/** How much a part measures. */
export interface Extent {
	quick: boolean;
	fileBytes: number;
	say: (line: string) => void;
}

/** Part 1: one request per item. */
export async function measureItems(contenders: Contenders, extent: Extent): Promise<CaseResult[]> {
	const sizes: [items: number, rounds: number][] = extent.quick
		? [
				[1, 5],
				[100, 3],
			]
		: [
				// The times of one item vary more than they differ.
				[1, 31],
				[100, 15],
				[1000, 5],
			];
	const results: CaseResult[] = [];
	for (const [items, rounds] of sizes) {
		for (const [what, expressions] of REQUESTS) {
			for (const latencyMs of LATENCIES) {
				results.push(
					await measure(contenders, extent, {
						title: titleOf(what, expressions),
						size: items,
						job: { what, items, expressions },
						latencyMs,
						produces: items,
						rounds,
						warmUps: items < 1000 ? 1 : 0,
					}),
				);
			}
		}
	}
	return results;
}

/** Part 2: all assets of a list that comes in pages. */
export async function measureLists(contenders: Contenders, extent: Extent): Promise<CaseResult[]> {
	const results: CaseResult[] = [];
	for (const latencyMs of LATENCIES) {
		const pages = 100;
		results.push(
			await measure(contenders, extent, {
				title: 'List',
				size: pages,
				job: { what: 'list' },
				latencyMs,
				assets: pages * PER_PAGE,
				produces: pages * PER_PAGE,
				rounds: extent.quick ? 1 : 3,
				warmUps: extent.quick ? 0 : 1,
			}),
		);
	}
	return results;
}

/** Part 3: a large file. Memory is what a process has used so far, so each round has new ones. */
export async function measureFiles(contenders: Contenders, extent: Extent): Promise<CaseResult[]> {
	const rounds: CaseResult[] = [];
	for (let round = 0; round < (extent.quick ? 1 : 7); round++) {
		await contenders.start();
		rounds.push(
			await measure(contenders, extent, {
				title: 'File',
				size: extent.fileBytes,
				job: { what: 'download' },
				latencyMs: 0,
				produces: extent.fileBytes,
				rounds: 1,
				warmUps: 0,
				turn: round,
			}),
		);
	}
	return [joined(rounds)];
}

/** Part 5: more and more work, in new processes so that the memory is that of the work. */
export async function measureGrowth(
	contenders: Contenders,
	extent: Extent,
): Promise<Results['growth']> {
	const growth: Results['growth'] = { items: [], pages: [] };
	await contenders.start();
	for (const items of extent.quick ? [10, 100, 1000] : [10, 100, 1000, 10_000]) {
		growth.items.push(
			await measure(contenders, extent, {
				title: titleOf('get', 1),
				size: items,
				job: { what: 'get', items, expressions: 1 },
				latencyMs: 0,
				produces: items,
				rounds: items < 1000 ? 3 : 1,
				warmUps: items < 1000 ? 1 : 0,
			}),
		);
	}
	await contenders.start();
	for (const pages of extent.quick ? [1, 10, 100] : [1, 10, 100, 1000]) {
		growth.pages.push(
			await measure(contenders, extent, {
				title: 'List',
				size: pages,
				job: { what: 'list' },
				latencyMs: 0,
				assets: pages * PER_PAGE,
				produces: pages * PER_PAGE,
				rounds: pages < 100 ? 3 : 1,
				warmUps: pages < 100 ? 1 : 0,
			}),
		);
	}
	return growth;
}

/** Where the CPU goes: what is left, and whose it is. */
export async function measureProfiles(
	contenders: Contenders,
	{ quick, say }: Extent,
): Promise<ProfileResult[]> {
	const items = quick ? 100 : 500;
	await contenders.start();
	const results: ProfileResult[] = [];
	for (const [what, expressions] of REQUESTS) {
		const title = titleOf(what, expressions);
		say(`  Profile of ${title}`);
		results.push({ title, items, ...(await contenders.profiles({ what, items, expressions })) });
	}
	return results;
}

const VALUES: Record<Expressions, string> = {
	0: 'constant',
	1: '1 expression',
	2: '2 expressions',
};

function titleOf(what: 'get' | 'create', expressions: Expressions): string {
	return `${what === 'get' ? 'GET' : 'POST'}, ${VALUES[expressions]}`;
}

async function measure(
	contenders: Contenders,
	{ say }: Extent,
	{ title, size, ...measurement }: Case & { title: string; size: number },
): Promise<CaseResult> {
	const result = {
		title,
		size,
		latencyMs: measurement.latencyMs,
		...(await contenders.compare(measurement)),
	};
	const { ours, http } = result.contenders;
	say(
		`  ${title}, ${size.toLocaleString('en')}, ${result.latencyMs} ms latency: CPU ${ours.cpuMs.median.toFixed(0)} of ${http.cpuMs.median.toFixed(0)} ms, wall ${ours.wallMs.median.toFixed(0)} of ${http.wallMs.median.toFixed(0)} ms`,
	);
	return result;
}

/** Makes one result of rounds that were measured one by one. */
function joined(rounds: CaseResult[]): CaseResult {
	const [first] = rounds as [CaseResult];
	const figures = (contender: keyof CaseResult['contenders']) => {
		const each = rounds.map(({ contenders }) => contenders[contender]);
		const spread = (figure: 'cpuMs' | 'wallMs' | 'peakRss' | 'grownRss' | 'buffers') =>
			spreadOf(each.map((one) => one[figure].median));
		return {
			...each[0]!,
			cpuMs: spread('cpuMs'),
			wallMs: spread('wallMs'),
			peakRss: spread('peakRss'),
			grownRss: spread('grownRss'),
			buffers: spread('buffers'),
			rounds: rounds.length,
		};
	};
	const ratio = (figure: 'cpuMs' | 'wallMs' | 'grownRss') =>
		spreadOf(
			rounds.map(({ contenders: { ours, http } }) => ours[figure].median / http[figure].median),
		);
	return {
		...first,
		contenders: { ours: figures('ours'), http: figures('http'), wire: figures('wire') },
		ratios: { cpuMs: ratio('cpuMs'), wallMs: ratio('wallMs'), grownRss: ratio('grownRss') },
	};
}
