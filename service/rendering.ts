import type { Video } from './store';

/** How the service renders videos. A function decides for each video when it is created. */
export interface RenderingOptions {
	/** Seconds that the rendering of a video takes; Infinity never ends. Default 3. */
	seconds?: number | ((video: Video) => number);
	/** Why a rendering fails when its time has passed; undefined if it does not. Default: none fails. */
	failure?: string | ((video: Video) => string | undefined);
	/** What of a look-up shows that a video is finished. Default: its `renderDuration` alone. */
	signs?: ('renderDuration' | 'status' | 'renderProgress')[];
	/** Seconds until the link of a video of the fast branch plays. Default 2. */
	fastSeconds?: number;
	/** Status of a link to a video that is not rendered. Default 404. */
	earlyStatus?: 403 | 404;
	/** Whether the account is a trial: links without a watermark are then refused. Default false. */
	isTrial?: boolean;
	/** How many times the callbackUrl of a finished video is posted to. Default 1. */
	callbacks?: number;
}

/** The rendering of one video. */
export interface Rendering {
	/** By Date.now(). */
	startedAt: number;
	/** How long it takes; a draft takes forever. */
	milliseconds: number;
	/** Why it fails in the end; undefined if it does not. */
	failure?: string;
}

const DEFAULT_SECONDS = 3;
const DEFAULT_FAST_SECONDS = 2;
/** What a video lasts: the sample file. */
const VIDEO_LENGTH_SECONDS = 2;

export function startRendering(video: Video, options: RenderingOptions): Rendering {
	const { seconds = DEFAULT_SECONDS, failure } = options;
	const given = typeof seconds === 'number' ? seconds : seconds(video);
	return {
		startedAt: Date.now(),
		milliseconds: video.draft === true ? Infinity : given * 1_000,
		failure: typeof failure === 'function' ? failure(video) : failure,
	};
}

export function startFastRendering({ fastSeconds }: RenderingOptions): Rendering {
	const seconds = fastSeconds ?? DEFAULT_FAST_SECONDS;
	return { startedAt: Date.now(), milliseconds: seconds * 1_000 };
}

/** Whether its time has passed, whatever became of it. */
function hasEnded({ startedAt, milliseconds }: Rendering): boolean {
	return Date.now() - startedAt >= milliseconds;
}

/** Whether the video can be played. */
export function isFinished(rendering: Rendering): boolean {
	return hasEnded(rendering) && rendering.failure === undefined;
}

/** The fields of a video that change with its rendering, as they are now. */
export function describeRendering(
	rendering: Rendering,
	{ signs = ['renderDuration'] }: RenderingOptions,
): Record<string, unknown> {
	const { startedAt, milliseconds, failure } = rendering;
	const showsProgress = signs.includes('renderProgress');
	if (!hasEnded(rendering)) {
		const percent = Math.floor(((Date.now() - startedAt) / milliseconds) * 100);
		return showsProgress ? { renderProgress: String(percent) } : {};
	}
	if (failure !== undefined) return { status: 'failed', renderProgress: failure };
	return {
		...(signs.includes('renderDuration') && {
			renderDuration: formatTimeSpan(milliseconds),
			requestDuration: formatTimeSpan(milliseconds),
		}),
		...(signs.includes('status') && { status: 'completed' }),
		...(showsProgress && { renderProgress: '100' }),
		videoLength: VIDEO_LENGTH_SECONDS,
	};
}

/** Formats a time span as .NET does: `00:01:23.45`. */
function formatTimeSpan(milliseconds: number): string {
	const seconds = milliseconds / 1_000;
	const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
	const whole = parts.map((part) => String(part).padStart(2, '0'));
	return [...whole, (seconds % 60).toFixed(2).padStart(5, '0')].join(':');
}
