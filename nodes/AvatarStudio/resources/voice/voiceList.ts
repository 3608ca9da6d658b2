import type { ListEndpoint } from '../../transport/pagination/list';

/** The list of voices, for Get Many, the list search and the trigger; it has no pages. */
export const voiceList: ListEndpoint = { url: '/v1/voices', property: 'voices' };
