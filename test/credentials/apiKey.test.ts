import { AvatarStudioApi } from '../../credentials/AvatarStudioApi.credentials';
import { searchList, testCredential } from '../support/engine/engine';
import { getAsset, SOME_ID } from '../support/parameters';
import { useStudio } from '../support/studio';

const KEY = 'k3y-9f2c_~!*(7d.A';
const studio = useStudio({ apiKey: KEY });

const credentials = (apiKey: unknown) => ({ ...studio.credentials, apiKey: apiKey as string });

test.each([KEY, `\t${KEY} \r\n`])('The key is sent without whitespace (%j)', async (apiKey) => {
	const given = credentials(apiKey);
	await studio.run(getAsset(studio.service.assets[0]!.id), { credentials: given });
	expect(await testCredential(given)).toMatchObject({ status: 'OK' });
	const sent = studio.service.requests.map(({ headers }) => headers['x-api-key']);
	expect(sent).toStrictEqual([KEY, KEY]);
});

const EMPTY = 'API Key is empty';
const SPECIAL = 'API Key contains a space, a line break or a special character';

test.each([
	['', EMPTY],
	['  \n', EMPTY],
	[undefined, EMPTY],
	['two words', SPECIAL],
	['a\r\nx-other: b', SPECIAL],
	['tab\tbed', SPECIAL],
	['schlüssel', SPECIAL],
	['k\u200Bey', SPECIAL],
])('The key %j is refused before anything is sent', async (apiKey, words) => {
	const given = credentials(apiKey);
	const message = await studio.getFailure(getAsset(SOME_ID), { credentials: given });
	expect(message).toMatch(new RegExp(`^${words}\\. .+ the credential( again)?\\.$`));
	expect(await testCredential(given)).toStrictEqual({ status: 'Error', message });
	await expect(searchList('searchAssets', given)).rejects.toThrow(words);
	expect(studio.service.requests).toStrictEqual([]);
});

describe('G3: In an HTTP Request node that uses the credential', () => {
	const { authenticate } = new AvatarStudioApi();
	const signed = async (options: object, baseUrl = 'https://api.example.com/eu') => {
		if (typeof authenticate !== 'function') throw new Error('authenticate is not a function');
		return await authenticate({ baseUrl, apiKey: KEY }, options as never);
	};

	it('the key is sent to the host of the Base URL, and no redirect is followed', async () => {
		const url = 'https://api.example.com/eu/v1/voices';
		// Another Host would be another site of the same content network.
		expect(await signed({ url, headers: { a: 'b', HOST: 'evil.example' } })).toStrictEqual({
			url,
			headers: { a: 'b', 'x-api-key': KEY },
			allowedDomains: 'api.example.com',
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	it('the options of older versions of that node are understood', async () => {
		const options = await signed({ uri: 'https://api.example.com/v1/voices' });
		expect(options).toMatchObject({ url: 'https://api.example.com/v1/voices' });
		expect(options).not.toHaveProperty('uri');
	});

	it.each([
		'https://example.org/v1/voices',
		'http://api.example.com/v1/voices',
		'https://api.example.com:8443/v1/voices',
		'https://api.example.com@example.org/',
	])('the key is not sent to %s', async (url) => {
		await expect(signed({ url })).rejects.toThrow(
			/^The API key is for https:\/\/api\.example\.com only and was not sent to http/,
		);
	});

	it.each([
		['Ignore SSL Issues', { rejectUnauthorized: false }],
		['SSL Certificates', { agentOptions: { ca: 'of their own proxy' } }],
		['SSL Certificates', { rejectUnauthorized: true, agentOptions: {} }],
	])('the key cannot be read through a proxy with %s', async (_setting, trust) => {
		const options = { url: '/v1/voices', proxy: 'http://proxy.example.com', ...trust };

		await expect(signed(options)).rejects.toThrow('cannot be used with a proxy');
		expect(JSON.stringify(options)).not.toContain(KEY);
	});
});
