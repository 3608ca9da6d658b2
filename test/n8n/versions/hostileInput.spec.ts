import { setTimeout as sleep } from 'node:timers/promises';

import {
	createLocator,
	createSpeech as speechParameters,
	getAsset,
} from '../../support/parameters';
import { startPatientHost } from '../../support/rawHost';
import { callWebhook, webhook } from '../production/webhook';
import { connectInOrder, useN8n } from '../runningN8n';

const n8n = useN8n();

/** What a garbage collection, or other work on the machine, may add. */
const MAX_PAUSE_MS = 1_000;

/** @returns the longest time in which n8n answered nobody while it handled a text from a webhook */
async function measureHold(url: string, text: string): Promise<number> {
	let isDone = false;
	let longest = 0;
	const call = callWebhook(url, { text }).finally(() => (isDone = true));
	while (!isDone) {
		const started = performance.now();
		await n8n.session.fetch('/healthz');
		longest = Math.max(longest, performance.now() - started);
		await sleep(5);
	}
	await call;
	return longest;
}

const TEXT = '={{ $json.body.text }}';
const LENGTH = 360_000;
const repeat = (part: string) => part.repeat(LENGTH / part.length).slice(0, LENGTH);
const tags = Array.from({ length: 60_000 }, (_, index) => (1_700_000 + index).toString(36));
const longTag = ['en', ...tags].join('-').slice(0, LENGTH);

test.each([
	[
		'a language tag, as the ID of a voice',
		speechParameters({ voiceId: createLocator(TEXT) }),
		longTag,
	],
	[
		'a language tag, as a language',
		speechParameters({ voiceId: createLocator(TEXT, 'language') }),
		longTag,
	],
	[
		'marks, as the name of an asset',
		{ ...getAsset(''), assetId: createLocator(TEXT, 'name') },
		repeat('\u0301\u0323'),
	],
])(
	'A visitor who sends 360,000 characters of %s holds n8n hardly longer than one who sends letters',
	async (_what, parameters, hostile) => {
		const { part, path } = webhook();
		const parts = [part, n8n.studio('Avatar Studio', parameters)];
		await n8n.publish(await n8n.newWorkflow('Of a visitor', parts, connectInOrder(parts)));
		const url = `${n8n.session.url}/webhook/${path}`;
		const expected = await measureHold(url, repeat('abcde'));
		const hold = await measureHold(url, hostile);

		expect(n8n.service.speeches).toEqual([]);
		expect(hold).toBeLessThan(2 * expected + MAX_PAUSE_MS);
	},
);

test('A response with many links opens fifty connections at a time, and brings a hundred files', async () => {
	const host = await startPatientHost(50);
	const links = Array.from({ length: 150 }, (_, at) => ({ url: `${host.url}/${at}.mp3` }));
	n8n.service.injectFault({ body: links });
	const parameters = speechParameters({ options: { downloadFile: true } });
	const { items } = await n8n.runChain(n8n.studio('Create speech', parameters));

	expect(host.most).toBe(50);
	expect(host.requests).toBe(100);
	expect(items['Create speech']!.filter(({ fileError }) => fileError)).toHaveLength(50);
});
