import * as fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { warnings } from '../support/engine/engine';
import { storeFile } from '../support/files';
import { byLabel, operations, type DescribedOperation } from '../support/operations';
import { createLocator, ITEM_ID, VOICE } from '../support/parameters';
import { getCases, SEED } from '../support/randomCases';
import { type RawHost, startRawHost } from '../support/rawHost';
import { drainInFlight } from '../support/requests';
import { useStudio } from '../support/studio';

const CASES = getCases(225);

const studio = useStudio();
const clock = useClock();
beforeEach(() => clock.run(200));

const FILE = 'the file of an asset';
/** Where imports and uploads get their file. */
let host: RawHost;
beforeEach(async () => {
	host = await startRawHost((_request, response) => response.end(FILE));
});

const body = (text: string) => ({ body: text, headers: { 'content-type': 'application/json' } });

/** Ways to fail, of the API and of the host of the files. */
const faults: fc.Arbitrary<Fault> = fc.oneof(
	fc.record({
		status: fc.constantFrom(...[301, 307, 400, 401, 402, 403, 404, 409, 413, 422, 429, 500, 503]),
	}),
	fc.record({
		status: fc.constantFrom(...[500, 501, 502, 503, 504]),
		afterEffect: fc.constant(true),
	}),
	fc.record({
		disconnect: fc.constantFrom(...(['beforeResponse', 'midBody'] as const)),
		afterEffect: fc.boolean(),
	}),
	fc.record({ hang: fc.constant(true), afterEffect: fc.boolean() }),
	// A status of success means that the request was carried out, whatever the body.
	fc.constantFrom(
		...['{', '<html>', '\u0000'].map((text) => ({ ...body(text), afterEffect: true })),
	),
);

interface Case {
	count: number;
	injected: [fault: Fault, skip: number, times: number, isFile: boolean][];
	onError: 'continueRegularOutput' | 'continueErrorOutput';
	retryOnFail: boolean;
}
const cases: fc.Arbitrary<Case> = fc.record({
	count: fc.integer({ min: 1, max: 5 }),
	injected: fc.array(
		fc.tuple(
			faults,
			fc.nat(4),
			fc.integer({ min: 1, max: 3 }),
			fc.nat(3).map((nat) => nat === 0),
		),
		{ minLength: 1, maxLength: 3 },
	),
	onError: fc.constantFrom('continueRegularOutput', 'continueErrorOutput'),
	retryOnFail: fc.boolean(),
});

/** All that a request can make. */
const countCreations = () => {
	const { videos, speeches, providerKeys, assets } = studio.service;
	return videos.length + speeches.length + providerKeys.length + assets.length;
};

/** What an item that is done without an error must have brought about, by method or operation. */
const isDone: Record<string, (item: INodeExecutionData[], id: string) => boolean> = {
	'asset getAll': (items) =>
		JSON.stringify(items.map(({ json }) => json.id)) ===
			JSON.stringify(studio.service.assets.map(({ id }) => id)) ||
		(items.length === 0 && warnings.some((text) => text.includes('counts as empty'))),
	'asset get': ([item], id) => item?.json.id === id,
	'asset update': (_items, id) => studio.service.findAsset(id)?.name === 'New name',
	'asset delete': (_items, id) => !studio.service.findAsset(id),
	'asset download': ([item], id) =>
		item?.json.id === id && item.binary?.data?.bytes === FILE.length,
	'voice getAll': (items) => items.length === studio.service.voices.length,
};

function getParameters({ parameters }: DescribedOperation): INodeParameters {
	const values = {
		assetId: createLocator(ITEM_ID),
		voiceId: createLocator(VOICE),
		name: 'New name',
		fileUrl: `${host.url}/portrait.png`,
		returnAll: true,
	};
	const wanted = Object.entries(values).filter(([name]) => name in parameters);
	return {
		...parameters,
		...Object.fromEntries(wanted),
		returnAll: true,
		requestOptions: { timeout: 30_000 },
	};
}

async function runWithFaults(
	operation: DescribedOperation,
	{ count, injected, ...settings }: Case,
) {
	const { service } = studio;
	service.reset();
	warnings.length = 0;
	const ids = service.addAssets(count).map(({ id }) => id);
	for (const asset of service.assets) asset.content = Buffer.from(FILE);
	for (const [fault, skip, times, isFile] of injected) {
		// Whatever a host of files responds with is the file.
		const host = isFile && fault.body === undefined ? 'files' : 'api';
		service.injectFault({ ...fault, skip, times, when: { host } });
	}
	const before = countCreations();
	const data = await storeFile(Buffer.from(FILE), { mimeType: 'image/png' });
	const { items, errorItems, error } = await studio.getOutcome(getParameters(operation), {
		items: ids.map((id) => ({ json: { id }, binary: { data } })),
		settings: { ...settings, maxTries: 3, waitBetweenTries: 1 },
		restApiUrl: `${host.url}/rest`,
	});
	service.clearFaults();
	await drainInFlight(studio);
	return { ids, error, outputs: [...items, ...errorItems], made: countCreations() - before };
}

describe('under random faults the books balance: items in are done or told', () => {
	it.each(byLabel())(
		'%s',
		async (_label, operation) => {
			const { resource, operation: option, route } = operation;
			const isItemDone = isDone[`${resource.value as string} ${option.value as string}`];
			const property = fc.asyncProperty(cases, async (given) => {
				const { ids, error, outputs, made } = await runWithFaults(operation, given);
				const isReported = ({ json }: INodeExecutionData) => json.error !== undefined;
				const isUncertain = ({ json }: INodeExecutionData) =>
					JSON.stringify(json).includes('may exist');
				const reported = outputs.filter(isReported);
				const done = ids.filter((id, index) => {
					const own = outputs.filter(
						({ pairedItem }) => (pairedItem as { item: number }).item === index,
					);
					if (own.some(isReported)) return false;
					return isItemDone ? isItemDone(own, id) : own.length === 1;
				});

				expect(error).toBeUndefined();
				expect(done.length + reported.length).toBe(ids.length);
				if (!route.startsWith('POST')) return;
				expect(made).toBeGreaterThanOrEqual(done.length);
				expect(made).toBeLessThanOrEqual(done.length + reported.filter(isUncertain).length);
			});
			const numRuns = Math.ceil(CASES / operations.length);
			const runs = { numRuns, seed: SEED, includeErrorInReport: true };
			await expect(fc.assert(property, runs)).resolves.toBeUndefined();
		},
		CASES * 1_000,
	);
});
