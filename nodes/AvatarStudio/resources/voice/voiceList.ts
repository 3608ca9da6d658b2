import type { ListEndpoint } from '../../transport/pagination/list';

/** The list of voices, for Get Many, the picker and the trigger; it comes whole in one answer. */
export const voiceList: ListEndpoint = { url: '/v1/voices', property: 'voices' };
