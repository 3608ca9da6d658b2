import {
	NotObserved,
	type Observation,
	type Observations,
	type Probe,
	type ProbeContext,
	type Reason,
} from './observation';
import { openPoints, type Mode, type OpenPoint, type PointId } from './openPoints';
import { assets } from './probes/assets';
import { connection } from './probes/connection';
import { create } from './probes/create';
import { errors } from './probes/errors';
import { pagination } from './probes/pagination';
import { voices } from './probes/voices';
import { write } from './probes/write';

/** In this order; the last one judges the responses to all the others. */
const PROBES: Probe[] = [pagination, assets, voices, errors, write, create, connection];

const NOT_OBSERVABLE = 'no request can tell';
const NOT_ASKED = {
	read: '',
	write: 'not asked: add --write',
	create: 'not asked: add --create, which may cost credits',
};

/**
 * Asks the service about every open point.
 *
 * @param modes what the user allows
 * @returns an observation, or the reason why there is none, for every point
 */
export async function ask(
	context: ProbeContext,
	modes: ReadonlySet<Mode>,
): Promise<Record<PointId, Observation | Reason>> {
	const observations: Observations = {};
	const { client, signal, say } = context;
	for (const probe of PROBES.filter(({ mode }) => modes.has(mode))) {
		// The last probe sends nothing, so it also judges the responses before an interruption.
		if (signal.aborted && probe !== connection) continue;
		say(`  ${probe.title}`);
		Object.assign(observations, await runProbe(probe, context));
		if (client.exchanges.length === 0) break;
	}
	const points: readonly OpenPoint[] = openPoints;
	return Object.fromEntries(
		points.map(({ id, mode }) => [
			id,
			observations[id as PointId] ?? { notObserved: explain(mode, modes, signal) },
		]),
	) as Record<PointId, Observation | Reason>;
}

async function runProbe(probe: Probe, context: ProbeContext): Promise<Observations> {
	try {
		return await probe.run(context);
	} catch (error) {
		// The service may answer anything. Only the name of an error is sure to contain nothing of it.
		const isExpected = error instanceof NotObserved;
		const notObserved = isExpected
			? error.message
			: `unexpected response (${String((error as Error).name)})`;
		return Object.fromEntries(probe.points.map((id) => [id, { notObserved }]));
	}
}

function explain(mode: Mode | undefined, modes: ReadonlySet<Mode>, signal: AbortSignal): string {
	if (mode === undefined) return NOT_OBSERVABLE;
	if (!modes.has(mode)) return NOT_ASKED[mode];
	return signal.aborted ? 'interrupted' : 'the service did not respond';
}
