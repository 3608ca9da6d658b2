import { searchList, testCredential } from '../support/engine/engine';
import { getAsset, SOME_ID } from '../support/parameters';
import { useStudio } from '../support/studio';

// "Allowed HTTP Request Domains", which n8n used to add to the credential.

const studio = useStudio();
const SPECIFIC = { allowedHttpRequestDomains: 'domains' };

test.each([
	['All', { allowedHttpRequestDomains: 'all' }],
	['None', { allowedHttpRequestDomains: 'none' }],
	['Specific Domains with the host of Base URL', { ...SPECIFIC, allowedDomains: '127.0.0.1' }],
	['Specific Domains with another host', { ...SPECIFIC, allowedDomains: 'example.org' }],
])('A credential that was stored with %s works', async (_setting, stored) => {
	const credentials = { ...studio.credentials, ...stored };
	const [asset] = studio.service.assets;
	const { json } = await studio.run(getAsset(asset!.id), { credentials });
	expect(json).toMatchObject([{ id: asset!.id }]);
	expect(await testCredential(credentials)).toMatchObject({ status: 'OK' });
	expect((await searchList('searchAssets', credentials)).results.length).toBeGreaterThan(0);
});

test('A credential that was stored with Specific Domains and no domain is refused by n8n', async () => {
	const credentials = { ...studio.credentials, ...SPECIFIC };
	const text = await studio.getFailure(getAsset(SOME_ID), { credentials });
	// n8n's own words: the node has not run yet.
	expect(text).toContain('No allowed domains specified');
	expect(studio.service.requests).toStrictEqual([]);
});
