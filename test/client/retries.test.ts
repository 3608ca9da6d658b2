import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { getError, getErrorText } from '../support/engine/engine';
import {
	addApiKey,
	createSpeech,
	createVideo,
	deleteAsset,
	getAsset,
	importAsset,
	updateAsset,
	withTimeout,
} from '../support/parameters';
import { findUnusedAddress } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
useClock({ runs: true });

const MAX_ATTEMPTS = 4;
const TIMEOUT_MS = 20_000;

const firstAsset = () => studio.service.assets[0]!;
const importFile = () => importAsset({ fileUrl: `${studio.service.filesUrl}/sized/1000` });

type Method = 'GET' | 'PATCH' | 'DELETE' | 'POST';
const SAFE: [Method, () => INodeParameters][] = [
	['GET', () => getAsset(firstAsset().id)],
	['PATCH', () => updateAsset(firstAsset().id)],
	['DELETE', () => deleteAsset(firstAsset().id)],
];
const CREATING: [string, () => INodeParameters, string, () => unknown[]][] = [
	['video', createVideo, 'The video', () => studio.service.videos],
	['speech', createSpeech, 'The speech', () => studio.service.speeches],
	['asset', importFile, 'The asset', () => studio.service.assets.slice(5)],
	['key', addApiKey, 'The key', () => studio.service.providerKeys],
];

/** Failures with an unknown outcome: the request may or may not have had its effect. */
const UNKNOWN: [string, Fault][] = [
	['a connection closed before the response', { disconnect: 'beforeResponse' }],
	['a truncated response', { disconnect: 'midBody', body: { half: 'an answer' } }],
	...[408, 502, 503, 504, 520, 522, 524].map((status): [string, Fault] => [
		`${status}`,
		{ status },
	]),
	['a timeout', { hang: true }],
];
/** Statuses that are not retried. */
const FINAL = [400, 401, 403, 404, 409, 422, 500, 501];

/** The methods of the requests to the service. */
const sent = () => studio.apiRequests.map(({ method }) => method);
const withShortTimeout = (parameters: INodeParameters) => withTimeout(TIMEOUT_MS, parameters);

describe.each(SAFE)('a %s', (method, parameters) => {
	it.each(UNKNOWN)('is retried after %s', async (_failure, fault) => {
		studio.service.injectFault({ ...fault, times: 1 });
		const { json } = await studio.run(withShortTimeout(parameters()));
		expect(json).toHaveLength(1);
		expect(sent()).toEqual([method, method]);
	});

	it.each([300, ...FINAL])('is sent once if the response is %i', async (status) => {
		studio.service.injectFault({ status });
		const error = await getError(studio.run(parameters()));

		expect(sent()).toHaveLength(1);
		expect(error.httpCode).toBe(String(status));
	});
});

describe.each(CREATING)('a POST that creates a %s', (_made, parameters, what, made) => {
	it.each(UNKNOWN)('is never retried after %s', async (_failure, fault) => {
		studio.service.injectFault({ ...fault, times: 1, afterEffect: true });
		const error = await getError(studio.run(withShortTimeout(parameters())));

		expect(sent()).toHaveLength(1);
		expect(made()).toHaveLength(1);
		expect(getErrorText(error)).toContain(`${what} may exist anyway. Look in the studio`);
	});

	it.each(FINAL)('is sent once if the response is %i', async (status) => {
		studio.service.injectFault({ status });
		const error = await getError(studio.run(parameters()));

		expect(sent()).toHaveLength(1);
		expect(error.httpCode).toBe(String(status));
		expect(getErrorText(error).includes('may exist')).toBe(status >= 500);
		expect(made()).toHaveLength(0);
	});
});

test.each<[string, Fault, then?: Fault]>([
	['closed connection', { disconnect: 'beforeResponse' }],
	['502', { status: 502 }],
	['timeout', { hang: true }],
	['closed connection, then 429', { disconnect: 'beforeResponse' }, { status: 429 }],
])('A deletion whose response was lost counts as done (%s)', async (_how, fault, ...then) => {
	const { id } = firstAsset();
	studio.service.injectFault({ ...fault, times: 1, afterEffect: true });
	for (const next of then) studio.service.injectFault({ ...next, times: 1 });
	const { json } = await studio.run(withShortTimeout(deleteAsset(id)));
	const note = expect.stringContaining('an attempt whose response was lost') as string;
	expect(json).toEqual([{ deleted: true, id, note }]);
});

test.each<[string, () => INodeParameters]>([...SAFE, ['POST', createSpeech]])(
	'A %s that never reaches the service fails with an error about Base URL, not about what may exist',
	async (_method, parameters) => {
		const { url: baseUrl } = await findUnusedAddress();
		const credentials = { ...studio.credentials, baseUrl };
		const text = await studio.getFailure(parameters(), { credentials });

		expect(text).toContain('did not respond at its address');
		expect(text).toContain('Base URL');
		expect(text).toContain(`after ${MAX_ATTEMPTS} attempts`);
		expect(text).not.toContain('may exist');
	},
);

test.each([403, 407])('a host that has only said %i may be at a wrong address', async (status) => {
	studio.service.injectFault({ status, times: 1 });
	await studio.getFailure(getAsset(firstAsset().id));
	studio.service.injectFault({ status: 502 });
	const text = await studio.getFailure(getAsset(firstAsset().id));

	expect(text).toContain(`Gave up after ${MAX_ATTEMPTS} attempts`);
});

test('A service that responded before and is down is asked again for a minute, with pauses that double up to ten seconds', async () => {
	await studio.run(getAsset(firstAsset().id));
	studio.service.injectFault({ status: 502 });
	const text = await studio.getFailure(getAsset(firstAsset().id));
	const starts = studio.service.requests.slice(1).map(({ startedAt }) => startedAt);
	const pauses = starts.slice(1).map((startedAt, index) => startedAt - starts[index]!);

	expect(text).toMatch(RegExp(`\\(502\\).* Gave up after ${starts.length} attempts\\. `));
	pauses.forEach((pause, index) => {
		const longest = Math.min(300 * 2 ** index, 10_000);
		expect(pause).toBeGreaterThanOrEqual(longest / 2);
		expect(pause).toBeLessThan(longest + 50);
	});
	const total = pauses.reduce((sum, pause) => sum + pause);
	expect(total).toBeGreaterThanOrEqual(60_000);
	expect(total).toBeLessThan(71_000);
});
