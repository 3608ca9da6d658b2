import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { ServiceOptions, Voice } from '../../service/service';

import { createTriggerWorkflow, type TriggerWorkflow } from './engine/triggerWorkflow';
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

export interface TriggerStudio extends Studio {
	/** Creates an inactive workflow with the trigger. */
	createWorkflow(parameters?: INodeParameters): Promise<TriggerWorkflow>;
	/** Creates an active one, which has seen all existing records. */
	activateWorkflow(parameters?: INodeParameters): Promise<TriggerWorkflow>;
	/** Adds a voice to those of the service. */
	addVoice(name: string, languageCode?: string): Voice;
	/** Number of asset-list pages requested so far. */
	countPagesRead(): number;
}

export function useTrigger(options: ServiceOptions = {}): TriggerStudio {
	const studio = useStudio(options);
	const createWorkflow = async (parameters = watchAssets()) =>
		await createTriggerWorkflow(parameters, studio.credentials);
	const own = {
		createWorkflow,
		activateWorkflow: async (parameters = watchAssets()) => {
			const active = await createWorkflow(parameters);
			expect(await active.activate()).toEqual([]);
			return active;
		},
		addVoice: (name: string, languageCode = 'en-GB') => {
			const added = createVoice(studio.service.voices, name, languageCode);
			studio.service.voices = [...studio.service.voices, added];
			return added;
		},
		countPagesRead: () => studio.getRoutes().filter((route) => route === 'GET /v1/assets').length,
	};
	return Object.defineProperties(own, Object.getOwnPropertyDescriptors(studio)) as TriggerStudio;
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
