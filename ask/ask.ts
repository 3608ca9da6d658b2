import { fetchRecords } from '../nodes/AvatarStudio/client/list';
import { assetList } from '../nodes/AvatarStudio/resources/asset/asset';
import { voiceList } from '../nodes/AvatarStudio/resources/voice/voice';

import type { AskContext } from './askContext';
import { create } from './create';
import { getMode, openPoints, type Mode, type Observer } from './openPoints';
import { readConnections, readErrors, readPages, readSomeAssets, readVoices } from './read';
import { NotObserved } from './service';
import { write } from './write';

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
