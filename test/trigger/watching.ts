import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { ServiceOptions, Voice } from '../../service/service';
import { watch, type WatchingWorkflow } from '../engine/polling';
import { useStudio, type Studio } from '../engine/studio';

/** The trigger on assets, as a saved workflow holds it. */
export const onAssets = (
	assetOptions: INodeParameters = {},
	assetFilters: INodeParameters = {},
): INodeParameters => ({ event: 'assetCreated', assetOptions, assetFilters });

/** The trigger on voices. */
export const onVoices = (voiceFilters: INodeParameters = {}): INodeParameters => ({
	event: 'voiceAdded',
	voiceFilters,
});

export interface Watching extends Studio {
	/** A workflow with the trigger that is not on yet. */
	workflow(parameters?: INodeParameters): Promise<WatchingWorkflow>;
	/** One that is on, and has seen what there is. */
	activeWorkflow(parameters?: INodeParameters): Promise<WatchingWorkflow>;
	/** Requests for pages of the list of assets so far. */
	pagesRead(): number;
}

export function useWatching(options: ServiceOptions = {}): Watching {
	const studio = useStudio(options);
	const workflow = async (parameters = onAssets()) => await watch(parameters, studio.credentials);
	const own = {
		workflow,
		activeWorkflow: async (parameters = onAssets()) => {
			const active = await workflow(parameters);
			expect(await active.activate()).toEqual([]);
			return active;
		},
		pagesRead: () => studio.routes().filter((route) => route === 'GET /v1/assets').length,
	};
	return Object.defineProperties(own, Object.getOwnPropertyDescriptors(studio)) as Watching;
}

export const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);
export const ids = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);
export const names = (items: INodeExecutionData[]) => items.map(({ json }) => json.name);

/** A voice that is not in the stock. */
export const newVoice = (stock: Voice[], name: string, languageCode = 'en-GB'): Voice => ({
	...stock[0]!,
	id: `id of ${name}`,
	voiceId: `au-${languageCode}-${name}`,
	name,
	languageCode,
});
