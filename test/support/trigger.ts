import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { ServiceOptions } from '../../service/service';

import { TriggerWorkflow } from './engine/triggerWorkflow';
import { type Studio, useStudio } from './studio';

/** Parameters of the trigger for assets, as a workflow stores them. */
export const watchAssets = (
	options: INodeParameters = {},
	filters: INodeParameters = {},
): INodeParameters => ({ event: 'assetCreated', options, filters });

export const watchVoices = (filters: INodeParameters = {}): INodeParameters => ({
	event: 'voiceAdded',
	filters,
});

/** The same as `useStudio`, with workflows that start with the trigger. */
export function useTrigger(options: ServiceOptions = {}) {
	const studio = useStudio(options);
	/** Creates an inactive workflow with the trigger. */
	const createWorkflow = (parameters = watchAssets()) =>
		new TriggerWorkflow(parameters, studio.credentials);
	const own = {
		createWorkflow,
		/** Creates an active one, which has seen all existing records. */
		activateWorkflow: async (parameters = watchAssets()) => {
			const active = createWorkflow(parameters);
			expect(await active.activate()).toEqual([]);
			return active;
		},
		addVoice: (name: string, languageCode = 'en-GB') => {
			const { service } = studio;
			const voiceId = `au-${languageCode}-${name}`;
			const added = { ...service.voices[0]!, id: voiceId, voiceId, name, languageCode };
			service.voices = [...service.voices, added];
			return added;
		},
	};
	return Object.assign(Object.create(studio) as Studio, own);
}

export const getIds = (records: { id: string }[]) => records.map(({ id }) => id);
export const getItemIds = (items: INodeExecutionData[]) => items.map(({ json }) => json.id);
export const getItemNames = (items: INodeExecutionData[]) => items.map(({ json }) => json.name);
