import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';

import { useClock } from '../support/clock';
import { testCredential } from '../support/engine/engine';
import { createVideo, downloadAsset, SOME_ID } from '../support/parameters';
import { sendJson, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
useClock({ runs: true });

const WORDS = /^The request was blocked because .*127\.0\.0\.1.*N8N_SSRF_ALLOWED_HOSTNAMES/;

describe("G10: n8n's protection of its own network", () => {
	const protect = (enabled: boolean) => (Container.get(SsrfProtectionConfig).enabled = enabled);
	const settings = { onError: 'continueRegularOutput' } as const;
	afterEach(() => protect(false));

	it("refuses a request in n8n's words, and it is certainly not sent", async () => {
		protect(true);
		const { json } = await studio.run(createVideo(), { settings });
		expect(json).toMatchObject([{ errorDetails: { code: 'blockedByN8n', mayExist: false } }]);
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
		expect(json).toMatchObject([{ errorDetails: { code: 'blockedByN8n' } }]);
		expect(json[0]!.error).toMatch(WORDS);
		expect(host.requests).toBe(1);
	});
});
