import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { ServiceOptions, Voice } from '../../service/service';

import { createTriggerWorkflow } from './engine/triggerWorkflow';
import { type Studio, useStudio } from './studio';

/** Parameters of the trigger for assets, as a workflow stores them. */
export const watchAssets = (
	assetOptions: INodeParameters = {},
	assetFilters: INodeParameters = {},
): INodeParameters => ({ event: 'assetCreated', assetOptions, assetFilters });

/** Parameters of the trigger for voices. */
export const watchVoices = (voiceFilters: INodeParameters = {}): INodeParameters => ({
	event: 'voiceAdded',
	voiceFilters,
});

/** The same as `useStudio`, with workflows that start with the trigger. */
export function useTrigger(options: ServiceOptions = {}) {
	const studio = useStudio(options);
	/** Creates an inactive workflow with the trigger. */
	const createWorkflow = async (parameters = watchAssets()) =>
		await createTriggerWorkflow(parameters, studio.credentials);
	const own = {
		createWorkflow,
		/** Creates an active one, which has seen all existing records. */
		activateWorkflow: async (parameters = watchAssets()) => {
			const active = await createWorkflow(parameters);
			expect(await active.activate()).toEqual([]);
			return active;
		},
		/** Adds a voice to those of the service. */
		addVoice: (name: string, languageCode = 'en-GB') => {
			const added = createVoice(studio.service.voices, name, languageCode);
			studio.service.voices = [...studio.service.voices, added];
			return added;
		},
		/** Number of asset-list pages requested so far. */
		countPagesRead: () => studio.getRoutes().filter((route) => route === 'GET /v1/assets').length,
	};
	return Object.defineProperties(own, Object.getOwnPropertyDescriptors(studio)) as Studio &
		typeof own;
}

export const getIds = (records: { id: string }[]) => records.map(({ id }) => id);
export const getItemIds = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);
export const getItemNames = (items: INodeExecutionData[]) => items.map(({ json }) => json.name);

/** A voice that the stand-in does not have yet. */
const createVoice = (stock: Voice[], name: string, languageCode: string): Voice => ({
	...stock[0]!,
	id: `id of ${name}`,
	voiceId: `au-${languageCode}-${name}`,
	name,
	languageCode,
});
