import type { INodeProperties } from 'n8n-workflow';

import { send } from '../../transport/executeItem';
import { customBody } from '../customBody';
import { fileField } from '../outputFileField';
import type { Operation } from '../properties';
import { script } from '../script';
import { voiceId } from '../voice/voiceId';

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [customBody, { ...fileField, required: false }],
};

const fields = [script, voiceId, options];

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create speech',
		description: 'Turn a script into speech',
		routing: {
			request: {
				method: 'POST',
				url: '/v1/speech',
				// The specification wants this type to the letter (section 4).
				headers: { 'content-type': 'application/*+json' },
			},
			send: { paginate: true },
			operations: {
				pagination: send({
					fields,
					creates: { what: 'The speech', lookFor: 'in the studio application' },
					timeout: 300_000,
				}),
			},
		},
	},
	fields,
};
