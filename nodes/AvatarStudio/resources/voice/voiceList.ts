import type { List } from '../../transport/list';

/** The list of voices, for Get Many, the picker and the trigger; it comes whole in one answer. */
export const voiceList: List = { url: '/v1/voices', property: 'voices' };
