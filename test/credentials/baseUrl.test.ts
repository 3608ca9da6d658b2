import { getErrorText, testCredential } from '../support/engine/engine';
import { getAsset } from '../support/parameters';
import { findUnusedAddress } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();

/** Gets an asset and tests the credential, with a Base URL based on the stand-in's. */
async function withBaseUrl(baseUrl: string) {
	const [asset] = studio.service.assets;
	const credentials = { baseUrl, apiKey: studio.service.apiKey };
	const { error } = await studio.getOutcome(getAsset(asset!.id), { credentials });
	const tested = await testCredential(credentials);
	return { error, tested, asset: asset! };
}

const accepted: Record<string, (url: string) => string> = {
	unchanged: (url) => url,
	'with spaces around it': (url) => `  ${url} `,
	'with /v1// and spaces': (url) => ` ${url}/v1// `,
	'with two slashes before /v1': (url) => `${url}//v1`,
	'in capital letters': (url) => url.toUpperCase(),
	'as LocalHost': (url) => url.replace('127.0.0.1', 'LocalHost'),
	'with an empty query and hash': (url) => `${url}/?#`,
};

test.each(Object.entries(accepted))('I paste the Base URL %s', async (_how, pasted) => {
	const { tested, asset } = await withBaseUrl(pasted(studio.service.url));
	expect(tested).toStrictEqual({ status: 'OK', message: 'Connection successful' });
	expect(studio.service.requests.map(({ method, url }) => `${method} ${url}`)).toStrictEqual([
		`GET /v1/assets/${asset.id}`,
		'GET /v1/assets?Page=1&PageSize=1',
	]);
});

test.each(['/Studio/v2', '/v1/studio'])('I paste a Base URL with the path %s', async (basePath) => {
	studio.service.configure({ basePath });
	for (const ending of ['', '/', '/v1', '/v1/']) {
		const { tested } = await withBaseUrl(studio.service.url + ending);
		expect(tested.status).toBe('OK');
	}
	const paths = new Set(studio.service.requests.map(({ url }) => url.replace(/\?.*/, '')));
	expect(paths).toStrictEqual(
		new Set([`${basePath}/v1/assets`, `${basePath}/v1/assets/${studio.service.assets[0]!.id}`]),
	);
});

test.each(['127.0.0.2', '[::1]'])('http is allowed for the loopback host %s', async (host) => {
	const { port } = await findUnusedAddress();
	const { message } = await testCredential({ baseUrl: `http://${host}:${port}`, apiKey: 'key' });
	expect(message).toMatch(/did not respond at its address|cannot be reached|was interrupted/);
	expect(message).not.toContain('https://');
});

const NOT_HTTPS = 'Base URL is not an https:// address';
const MORE = 'Base URL contains more than an address';

/** Each with the expected message. If possible, the stand-in would respond at the address. */
const refused: Record<string, [baseUrl: (url: string) => string, words: string]> = {
	nothing: [() => '', 'Base URL is empty'],
	whitespace: [() => ' \n ', 'Base URL is empty'],
	'text that is not a URL': [() => 'garbage', NOT_HTTPS],
	'only a scheme': [() => 'https://', NOT_HTTPS],
	'an expression that was not evaluated': [() => '{{ $env.URL }}', NOT_HTTPS],
	'http on a public host': [() => 'http://api.example.com', NOT_HTTPS],
	'http on a host like an IP': [() => 'http://127.0.0.1.example.com', NOT_HTTPS],
	'http on a host like localhost': [() => 'http://localhost.example.com', NOT_HTTPS],
	'http on a host that ends like localhost': [() => 'http://my-localhost', NOT_HTTPS],
	'http on 0.0.0.0': [(url) => url.replace('127.0.0.1', '0.0.0.0'), NOT_HTTPS],
	ftp: [(url) => url.replace('http:', 'ftp:'), NOT_HTTPS],
	'a script': [() => 'javascript:alert(1)', NOT_HTTPS],
	'a host without https://': [() => 'api.example.com/v1', NOT_HTTPS],
	'a host and port without https://': [() => 'localhost:8080', NOT_HTTPS],
	'a user and password': [(url) => url.replace('//', '//user:secret@'), MORE],
	'a query': [(url) => `${url}?key=secret`, MORE],
	'a hash': [(url) => `${url}/#/home`, MORE],
};

test.each(Object.entries(refused))('A Base URL that is %s is refused', async (_what, expected) => {
	const [baseUrl, words] = expected;
	const { error, tested } = await withBaseUrl(baseUrl(studio.service.url));
	expect(getErrorText(error)).toMatch(new RegExp(`^${words}.* in the credential`));
	expect(tested).toStrictEqual({ status: 'Error', message: getErrorText(error) });
	expect(tested.message).not.toMatch(/secret|demo-key/);
	expect(studio.service.requests).toStrictEqual([]);
});
