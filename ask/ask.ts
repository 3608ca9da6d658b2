import { fetchRecords } from '../nodes/AvatarStudio/client/list';
import { assetList } from '../nodes/AvatarStudio/resources/asset/asset';
import { voiceList } from '../nodes/AvatarStudio/resources/voice/voice';

import { create } from './create';
import { getMode, openPoints, type Mode, type Observer, type PointId } from './openPoints';
import { readConnections, readErrors, readPages, readSomeAssets, readVoices } from './read';
import { NotObserved, type Service } from './service';
import { write } from './write';

/** What the service does at one open point. */
export interface Observation {
	/** The answer, without any value of the account. */
	observed: string;
	/** Whether the node cannot deal with it, by its own rules; undefined if none of them tells. */
	differs?: boolean;
}

export type Observations = Partial<Record<PointId, Observation | { notObserved: string }>>;

export interface AskContext {
	service: Service;
	/** Each point, as soon as it is observed. */
	observations: Observations;
	/** Small file to import. Default: an image of the account. */
	fileUrl?: string;
	avatarId?: string;
	/** Time between two looks for the created files. */
	pollMs: number;
	signal: AbortSignal;
	say: (line: string) => void;
}

/** In this order; the last one judges the responses to all the others, and sends nothing. */
const OBSERVERS: [Observer, title: string, (context: AskContext) => Promise<void> | void][] = [
	['voices', 'voices', readVoices],
	['pages', 'pages of the asset list', readPages],
	['assets', 'assets and their links', readSomeAssets],
	['errors', 'errors', readErrors],
	['write', 'a temporary asset', write],
	['create', 'a speech and a draft video', create],
	['connections', 'connections and rate limits', readConnections],
];

/**
 * Asks the service about every open point that the user allows to ask about.
 *
 * @throws the node's own error if neither list can be read: then this is not the service
 */
export async function ask(context: AskContext, modes: Mode[]): Promise<void> {
	const { service, observations, signal, say } = context;
	await fetchRecords(service.reader, voiceList).catch(async (error: unknown) => {
		const assets = fetchRecords(service.reader, assetList, { qs: { Page: 1, PageSize: 1 } });
		await assets.catch(() => {
			throw error;
		});
	});
	for (const [observer, title, observe] of OBSERVERS) {
		const mode = getMode(observer);
		let reason = `not asked: add --${mode}`;
		if (modes.includes(mode)) {
			say(`  ${title}`);
			try {
				if (signal.aborted && observe !== readConnections) throw new NotObserved('interrupted');
				await observe(context);
			} catch (error) {
				reason = service.explain(error);
			}
		}
		for (const point of openPoints) {
			if (point.observer === observer) observations[point.id] ??= { notObserved: reason };
		}
	}
}
