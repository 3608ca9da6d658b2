import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { listPlaces, operations, type DescribedOperation } from '../support/operations';
import { useStudio } from '../support/studio';

const VALUE = '={{ $json.value }}';
const studio = useStudio();

/** What is known to break programs. */
const ATTACKS: unknown[] = [
	...['../../../etc/passwd', '..%2f..%2fvoices', '..', '%2e%2e', '?Page=9&PageSize=1', '#fragment'],
	...['%', '%00', '\0', 'a'.repeat(100_000), 'a\r\nx-injected: 1', '__proto__', 'toString'],
	...['https://user:secret@example.com/file.png', 'http://[::1', 'javascript:alert(1)'],
	...['={{ 1 + 1 }}', '\ud800', 'e\u0301'.repeat(300), '\u202egnp.exe'],
	JSON.parse('{ "__proto__": { "polluted": true } }'),
	{ __rl: true, mode: 'constructor', value: 'x' },
	{ __rl: true, mode: 'id', value: { value: 'x' } },
	{ mimeType: 'constructor/x', id: 'filesystem-v2:../../../../etc/passwd', data: '' },
];

/** Messages of a program's own bugs, which a user must never see. */
const CRASH =
	/is not a function|is not iterable|Cannot (read|set|convert|assign)|undefined \(|Invalid URL|call stack|Unexpected token|\[object |ERR_/;
/** No folder, no hidden file, nothing a shell or terminal interprets, at most 255 characters. */
const SAFE_NAME = /^(?![.\s])[^/\\\p{Cc}\p{Cs}\p{Bidi_Control}"<>:|?*]{1,255}$/u;
/** The requests that read what an operation needs: a list, to find a record by name, or a record. */
const LOOK_UPS = operations
	.filter(({ operation }) => operation.value === 'getAll' || operation.value === 'get')
	.map(({ route }) => toPattern(route));
/** Left to the service to validate: whether an ID is a UUID, and the fields of Custom Body. */
const LEFT_TO_SERVICE = /must match format "uuid"|unknown field/;

const HEADERS = [
	...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host'],
	...['transfer-encoding', 'user-agent', 'x-api-key'],
];

/** Runs an operation with one item for each attack and lists what went wrong. */
async function findProblems(
	{ route, parameters: valid }: DescribedOperation,
	parameters: INodeParameters,
): Promise<unknown[]> {
	const { service } = studio;
	const [, idField = ''] = /\{(\w+)\}/.exec(route) ?? [];
	const { value: id } = (valid[idField] ?? {}) as IDataObject;
	if (typeof id === 'string') service.assets = [{ ...service.assets[0]!, id }];
	// Otherwise the stand-in would fetch from these URLs.
	service.injectFault({ when: { path: '/v1/assets/import/url' }, body: { id: 'imported' } });
	const file = { id: 'filesystem-v2:a-file', data: '', mimeType: 'image/png', fileName: 'a.png' };
	const { items, run } = await studio.run(parameters, {
		items: ATTACKS.map((value) => ({ json: { value } as IDataObject, binary: { data: file } })),
		settings: { onError: 'continueRegularOutput' },
	});

	const problems: unknown[] = run.status === 'success' ? [] : [run.status];
	for (const { json, binary = {}, pairedItem } of items) {
		const value = ATTACKS[(pairedItem as { item: number }).item];
		if ('error' in json && !isReadable(json.error)) problems.push({ value, error: json.error });
		const names = Object.values(binary).map(({ fileName = '' }) => fileName);
		problems.push(...names.filter((name) => !SAFE_NAME.test(name)));
	}
	const expected = [toPattern(route), ...LOOK_UPS];
	for (const { host, method, url, headers, body, violations } of service.requests) {
		if (host === 'files') continue;
		const sent = `${method} ${url}`;
		const against = violations.filter((violation) => !LEFT_TO_SERVICE.test(violation));
		if (against.length > 0) problems.push({ sent, body, against });
		if (!expected.some((path) => path.test(sent))) problems.push({ sent });
		problems.push(...Object.keys(headers).filter((name) => !HEADERS.includes(name)));
	}
	if ('polluted' in Object.prototype) problems.push('a polluted prototype');
	service.requests.splice(0);
	return problems;
}

function toPattern(route: string): RegExp {
	return new RegExp(`^${route.replace(/\{\w+\}/, '[^/?]+')}(\\?|$)`);
}

function isReadable(error: unknown): boolean {
	return typeof error === 'string' && error !== '' && !CRASH.test(error);
}

describe.each(operations)('$label sends only its own requests, names files safely', (operation) => {
	const places = listPlaces(operation, VALUE);

	it.each(places)('and never crashes, whatever $place is', async ({ parameters }) => {
		expect(await findProblems(operation, parameters)).toEqual([]);
	});
});
