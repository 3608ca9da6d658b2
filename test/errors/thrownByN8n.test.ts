import { NodeApiError, UserError as ErrorOfN8n } from 'n8n-workflow';

import { createSendError } from '../../nodes/AvatarStudio/errors/connectionError';

const refusal = new ErrorOfN8n('It is not allowed.', { description: 'Ask someone.' });
const wrap = (cause: Error) => new NodeApiError({} as never, cause as never);
const isOfAxios = (cause: Error) => Object.assign(new Error('', { cause }), { isAxiosError: true });
const notFound = { syscall: 'getaddrinfo', code: 'ENOTFOUND' };
const lookup = Object.assign(new Error('getaddrinfo'), notFound);
const defect = new TypeError("Cannot read properties of undefined (reading 'x')");

test.each([
	['its own refusal', refusal, 'blockedByN8n', 'notDone'],
	['its refusal to connect', isOfAxios(refusal), 'blockedByN8n', 'notDone'],
	['a lookup of its own', lookup, 'connection', 'notDone'],
	['a failure of the network', isOfAxios(new Error('socket hang up')), 'connection', 'unknown'],
	['a failure whose cause n8n 1.x drops', wrap({} as Error), 'connection', 'unknown'],
	['a defect', defect, 'unexpected', 'notDone'],
])(
	'G1: What n8n throws instead of a response is told as what it is: %s',
	(_what, thrown, code, outcome) => {
		expect(createSendError(thrown, false).details).toMatchObject({ code, outcome });
	},
);
