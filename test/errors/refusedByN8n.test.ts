import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { NodeApiError, UserError as ErrorOfN8n } from 'n8n-workflow';

import { createSendError } from '../../nodes/AvatarStudio/errors/connectionError';
import { useClock } from '../support/clock';
import { isVersion1, testCredential } from '../support/engine/engine';
import { createVideo, downloadAsset, SOME_ID } from '../support/parameters';
import { sendJson, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
useClock({ runs: true });

const WORDS = /^The request was blocked because .*127\.0\.0\.1.*N8N_SSRF_ALLOWED_HOSTNAMES/;

describe("G10: n8n's protection of its own network", () => {
	// n8n 1.x has none.
	if (isVersion1) return it.todo('is not in n8n 1.x');
	const protect = (enabled: boolean) => (Container.get(SsrfProtectionConfig).enabled = enabled);
	const settings = { onError: 'continueRegularOutput' } as const;
	afterEach(() => protect(false));

	it("refuses a request in n8n's words, and it is certainly not sent", async () => {
		protect(true);
		const { json } = await studio.run(createVideo(), { settings });
		expect(json).toMatchObject([{ code: 'blockedByN8n', mayExist: false }]);
		expect(json[0]!.error).toMatch(WORDS);
		expect((await testCredential(studio.credentials)).message).toMatch(WORDS);
		expect(studio.service.requests).toEqual([]);
	});

	it('refuses a download at the first attempt', async () => {
		const host = await startRawHost((_request, response) => {
			protect(true);
			sendJson(response, { id: SOME_ID, url: `${host.url}/file.png` });
		});
		const { credentials } = host;
		const { json } = await studio.run(downloadAsset(SOME_ID), { credentials, settings });
		expect(json).toMatchObject([{ code: 'blockedByN8n' }]);
		expect(json[0]!.error).toMatch(WORDS);
		expect(host.requests).toBe(1);
	});
});

describe('G1: What n8n throws instead of a response', () => {
	const refusal = new ErrorOfN8n('It is not allowed.', { description: 'Ask someone.' });
	const wrap = (cause: Error) => new NodeApiError({} as never, cause as never);
	const isOfAxios = (cause: Error) =>
		Object.assign(new Error('', { cause }), { isAxiosError: true });
	const notFound = { syscall: 'getaddrinfo', code: 'ENOTFOUND' };
	const lookup = Object.assign(new Error('getaddrinfo'), notFound);
	const defect = new TypeError("Cannot read properties of undefined (reading 'x')");

	it.each([
		['its own refusal', refusal, 'blockedByN8n', 'notDone'],
		['its refusal to connect', isOfAxios(refusal), 'blockedByN8n', 'notDone'],
		['a lookup of its own', lookup, 'connection', 'notDone'],
		['a failure of the network', isOfAxios(new Error('socket hang up')), 'connection', 'unknown'],
		['a failure whose cause n8n 1.x drops', wrap({} as Error), 'connection', 'unknown'],
		['a defect', defect, 'unexpected', 'notDone'],
	])('is told as what it is: %s', (_what, thrown, code, outcome) => {
		expect(createSendError(thrown, false).details).toMatchObject({ code, outcome });
	});
});
