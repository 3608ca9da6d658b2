import { useClock } from '../../support/clock';
import { getErrorText } from '../../support/engine/engine';
import { INTERACTIVE } from '../../support/interactive';
import { createIdItems, createSpeech, getAsset, SOME_ID } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();
const clock = useClock();

const MINUTE_MS = 60_000;
const isPost = ({ method }: { method: string }) => method === 'POST';

test('Time in which nobody asks is no outage: each run waits for a slot as long as it may', async () => {
	clock.run(200);
	let busyUntil = Date.now() + 16 * MINUTE_MS;
	studio.service.injectFault({
		when: (request) => isPost(request) && Date.now() < busyUntil,
		status: 429,
	});
	const runEvery5Minutes = async () => {
		const { error } = await studio.getOutcome(createSpeech());
		await clock.pass(5 * MINUTE_MS);
		busyUntil = Date.now() + 10_000;
		return error && getErrorText(error);
	};

	expect(await runEvery5Minutes()).toMatch(/admitted no request for 1[45] min/);
	expect(await runEvery5Minutes()).toBeUndefined();
	expect(await runEvery5Minutes()).toBeUndefined();
}, 60_000);

test.each([
	[429, 15, 660],
	[429, 60, 1800],
	[503, 15, 800],
])(
	'A service that says %i for good, with %i minutes to wait for and Retry-After %i, is given up in time',
	async (status, minutes, seconds) => {
		clock.run(2_000);
		studio.service.injectFault({ status, headers: { 'retry-after': String(seconds) } });
		const startedAt = Date.now();
		const parameters =
			status === 503
				? getAsset(SOME_ID)
				: createSpeech({ options: { waitIfBusyMinutes: minutes } });
		const { error } = await studio.getOutcome(parameters);

		expect(error && getErrorText(error)).toContain(`(${status})`);
		expect(Date.now() - startedAt).toBeLessThan((minutes + 1) * MINUTE_MS);
	},
	60_000,
);

describe('While a run waits for a service that does not work,', () => {
	async function startRun(fault: object) {
		await studio.run(getAsset(studio.service.assets[0]!.id));
		studio.service.injectFault({ when: ({ method }) => method === 'GET', ...fault });
		return studio.start(getAsset(), { items: createIdItems(studio.service.addAssets(60)) });
	}

	it.each(INTERACTIVE)(
		'%s asks without waiting for the next attempt of the run',
		async (_name, request) => {
			clock.run(100);
			const running = await startRun({ status: 503 });
			await studio.service.waitForRequest(() => studio.getRoutes().length >= 11);
			studio.service.clearFaults();
			await request(studio.credentials);
			await running.cancel();
		},
	);

	it('a picker waits for one response at most, though the one of the run does not come', async () => {
		clock.run(100);
		const running = await startRun({ hang: true });
		const hangs = Date.now();
		while (Date.now() - hangs < 70_000) await new Promise((resolve) => setImmediate(resolve));
		const startedAt = Date.now();
		await expect(INTERACTIVE[0]![1](studio.credentials)).rejects.toThrow('in time');
		expect(Date.now() - startedAt).toBeLessThan(26_000);
		await running.cancel();
	}, 60_000);
});
