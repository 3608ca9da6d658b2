import type { Field } from '../../transport/parameters';

/** Links expire: `service/openapi.yaml`, `Asset.url`. */
export const linkNotice: Field = {
	displayName:
		'The link in the "url" field works for 12 hours. Store the asset\'s ID instead of its link, or use Download to keep the file.',
	name: 'linkNotice',
	type: 'notice',
	default: '',
};
