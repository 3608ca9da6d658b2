import * as fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import {
	addApiKey,
	createSpeech,
	createVideo,
	deleteAsset,
	updateAsset,
} from '../support/parameters';
import { useStudio } from '../support/studio';

/** `BALANCE_CASES=10000 npx jest test/transport/faults.test.ts` runs more than each test run does. */
const CASES = Number(process.env.BALANCE_CASES ?? 25);
const studio = useStudio();

/** Ways to fail that end in milliseconds: POST is never sent again after any of them. */
const faults: fc.Arbitrary<Fault> = fc.oneof(
	fc.record({
		status: fc.constantFrom(301, 307, 400, 401, 402, 403, 409, 413, 422, 500, 501, 502, 503, 504),
	}),
	fc.record({
		status: fc.constantFrom(500, 502, 504),
		afterEffect: fc.constant(true),
	}),
	fc.record({
		disconnect: fc.constantFrom('beforeResponse' as const, 'midBody' as const),
		afterEffect: fc.constant(true),
	}),
	fc.record({
		body: fc.constantFrom('{', '<html>', '\u0000'),
		headers: fc.constant({ 'content-type': 'application/json' }),
		afterEffect: fc.boolean(),
	}),
);

const CREATIONS: [string, () => INodeParameters, () => number][] = [
	[
		'videos',
		() => createVideo({ script: '={{ "Script " + $itemIndex }}' }),
		() => studio.service.videos.length,
	],
	[
		'speeches',
		() => createSpeech({ script: '={{ "Script " + $itemIndex }}' }),
		() => studio.service.speeches.length,
	],
	['keys', () => addApiKey(), () => studio.service.providerKeys.length],
];

describe.each(CREATIONS)(
	'under random faults the books of %s balance',
	(_what, parameters, made) => {
		it('items in are done or told, and creations are done or told that they may exist', async () => {
			await fc.assert(
				fc.asyncProperty(
					fc.integer({ min: 1, max: 12 }),
					fc.array(fc.tuple(faults, fc.nat(6), fc.integer({ min: 1, max: 3 })), { maxLength: 3 }),
					fc.constantFrom('continueRegularOutput' as const, 'continueErrorOutput' as const),
					fc.boolean(),
					async (count, injected, onError, retryOnFail) => {
						studio.service.reset();
						for (const [fault, skip, times] of injected) {
							studio.service.injectFault({ ...fault, skip, times });
						}
						const { items, errorItems } = await studio.run(parameters(), {
							items: Array.from({ length: count }, () => ({ json: {} })),
							settings: { onError, retryOnFail, maxTries: 3, waitBetweenTries: 1 },
						});
						const all = [...items, ...errorItems];
						const told = all.filter(({ json }) => json.error !== undefined);
						const uncertain = told.filter(({ json }) => JSON.stringify(json).includes('may exist'));
						const done = all.length - told.length;
						const isBalanced =
							all.length === count && made() >= done && made() <= done + uncertain.length;

						expect({ count, done, told: told.length, made: made(), isBalanced }).toMatchObject({
							isBalanced: true,
						});
					},
				),
				{ numRuns: CASES },
			);
		}, 600_000);
	},
);

it('under random faults no renaming or deletion is lost in silence', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(updateAsset, deleteAsset),
			fc.constantFrom(400, 403, 404, 409, 422, 500, 501),
			fc.nat(4),
			fc.boolean(),
			async (operation, status, skip, afterEffect) => {
				studio.service.reset();
				const ids = studio.service.assets.map(({ id }) => id);
				studio.service.injectFault({ status, skip, times: 1, afterEffect });
				const { items } = await studio.run(operation('={{ $json.id }}', { name: 'New' }), {
					items: ids.map((id) => ({ json: { id } })),
					settings: { onError: 'continueRegularOutput' },
				});
				const failed = items.filter(({ json }) => json.error !== undefined);
				const isDone = ids.filter((id) => {
					const asset = studio.service.assets.find((stored) => stored.id === id);
					return asset === undefined || asset.name === 'New';
				});

				expect(items).toHaveLength(ids.length);
				expect(failed).toHaveLength(1);
				expect(isDone).toHaveLength(afterEffect ? ids.length : ids.length - 1);
			},
		),
		{ numRuns: CASES },
	);
}, 600_000);
