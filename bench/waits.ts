import {
	addRenderTime,
	forgetRenderTimes,
	getIntervalMs,
	getRenderTimes,
} from '../nodes/AvatarStudio/execution/renderTimes';

/** How long the renderings take on average, in seconds; each is up to a third shorter or longer. */
const MEAN_SECONDS = [5, 15, 30, 60, 120, 300, 600, 1200];
const SPREAD = 1 / 3;
/** How often each series is measured, because a single one depends on chance. */
const SERIES = 50;
/** How many videos a series has, one after another or at once. */
const IN_SEQUENCE = 12;
const AT_ONCE = 40;
const ACCOUNT = 'account';

/** How long to wait before the next look, in milliseconds, and whether the last ones count for it. */
interface Schedule {
	name: string;
	getIntervalMs: (elapsedMs: number, knownTimes: number[]) => number;
}

const SCHEDULES: Schedule[] = [
	{ name: 'Avatar Studio', getIntervalMs },
	{ name: 'peer', getIntervalMs: getIntervalOfPeer },
	{ name: 'every 5 s', getIntervalMs: () => 5_000 },
];

/** The look-ups of one video, and how late its end was noticed. */
interface Watched {
	looks: number;
	lagMs: number;
}

/** The sums over several videos. */
interface Total extends Watched {
	videos: number;
}

/** JSON2Video 386ec4f: every 5 s, half as long again after each minute, 30 s at most. */
function getIntervalOfPeer(elapsedMs: number): number {
	return Math.min(30_000, 5_000 * 1.5 ** Math.floor(elapsedMs / 60_000));
}

/**
 * Watches renderings in virtual time, by the schedule that the node ships and two others.
 *
 * @returns the lines of a report: look-ups and lag per video, for the first video of an account and for
 *   those after it
 */
export function measureWaits(): string[] {
	return (['one after another', 'forty at once'] as const).flatMap((order) => {
		const lines = MEAN_SECONDS.map((mean) => describeMean(mean, order));
		const later = SCHEDULES.map((schedule) =>
			sum(MEAN_SECONDS.map((mean) => watchSeries(schedule, mean, order).later)),
		);
		return [`  ${order}`, ...lines, `    all, from the second on: ${compare(later)}`];
	});
}

function describeMean(mean: number, order: string): string {
	const results = SCHEDULES.map((schedule) => watchSeries(schedule, mean, order));
	const [ours] = results.map(({ first }) => first);
	const lag = ours!.lagMs / ours!.videos;
	const share = `${((lag / (mean * 1_000)) * 100).toFixed(1)} %`;
	const looks = (ours!.looks / ours!.videos).toFixed(1);
	const first = `the first ${looks} look-ups, ${(lag / 1_000).toFixed(1)} s late (${share})`;
	return `    ${mean} s: ${first}; from the second on: ${compare(results.map(({ later }) => later))}`;
}

/** Formats the look-ups and the lag of each schedule, and ours as a part of the others'. */
function compare(totals: Total[]): string {
	const [ours, ...others] = totals;
	const format = ({ looks, lagMs, videos }: Total) =>
		`${(looks / videos).toFixed(1)} look-ups, ${(lagMs / videos / 1_000).toFixed(1)} s late`;
	const ratios = others.map((other, index) => {
		const ratio = `${(ours!.looks / other.looks).toFixed(2)} and ${(ours!.lagMs / other.lagMs).toFixed(2)}`;
		return `${ratio} of ${SCHEDULES[index + 1]!.name} (${format(other)})`;
	});
	return `${format(ours!)}, ${ratios.join(', ')}`;
}

/** Watches the same renderings with each schedule: the random numbers depend on the mean alone. */
function watchSeries(schedule: Schedule, mean: number, order: string) {
	const random = createRandom(mean);
	const first: Watched[] = [];
	const later: Watched[] = [];
	const draw = () => mean * 1_000 * (1 + (random() * 2 - 1) * SPREAD);
	for (let series = 0; series < SERIES; series++) {
		forgetRenderTimes();
		if (order === 'one after another') {
			const [one, ...others] = Array.from({ length: IN_SEQUENCE }, () => watch(schedule, [draw()]));
			first.push(...one!);
			later.push(...others.flat());
		} else {
			first.push(...watch(schedule, Array.from({ length: AT_ONCE }, draw)));
			later.push(...watch(schedule, Array.from({ length: AT_ONCE }, draw)));
		}
	}
	return { first: sum(first), later: sum(later) };
}

/** Watches renderings that start together, look by look, and remembers how long each took. */
function watch(schedule: Schedule, durations: number[]): Watched[] {
	const watched: Watched[] = [];
	const next = durations.map((durationMs) => ({ durationMs, looks: 0, at: 0 }));
	for (const video of next) video.at = schedule.getIntervalMs(0, getRenderTimes(ACCOUNT));
	while (next.length > 0) {
		next.sort((one, other) => one.at - other.at);
		const video = next[0]!;
		video.looks++;
		if (video.at < video.durationMs) {
			video.at += schedule.getIntervalMs(video.at, getRenderTimes(ACCOUNT));
			continue;
		}
		next.shift();
		addRenderTime(ACCOUNT, video.at);
		watched.push({ looks: video.looks, lagMs: video.at - video.durationMs });
	}
	return watched;
}

function sum(watched: (Watched | Total)[]): Total {
	const total: Total = { looks: 0, lagMs: 0, videos: 0 };
	for (const each of watched) {
		total.looks += each.looks;
		total.lagMs += each.lagMs;
		total.videos += 'videos' in each ? each.videos : 1;
	}
	return total;
}

/** Random numbers from 0 to 1 that are the same in each run (mulberry32). */
function createRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
