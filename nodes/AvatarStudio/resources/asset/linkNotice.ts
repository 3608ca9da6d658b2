import type { INodeProperties } from 'n8n-workflow';

/** The trap of every asset that is kept for later (specification, section 2.1). */
export const linkNotice: INodeProperties = {
	displayName:
		"The link in <code>url</code> works for 12 hours. Store the asset's ID rather than its link, or use Download to keep the file.",
	name: 'linkNotice',
	type: 'notice',
	default: '',
};
