import type { INodeParameters } from 'n8n-workflow';

import { forgetRateLimits } from '../../nodes/AvatarStudio/client/limiter/rateLimiters';
import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { getError, getErrorText, logLines, warnings } from '../support/engine/engine';
import { getIds, getItemIds, useTrigger, watchAssets } from '../support/trigger';

const watching = useTrigger();
const clock = useClock({ runs: true });

/** What the trigger wrote to n8n's log at the level that n8n shows. */
const getInfos = () => logLines.filter(({ level }) => level === 'info').map((line) => line.message);

const page = { headers: { 'content-type': 'text/html' }, body: '<title>Under maintenance</title>' };

test.each<[string, string, Fault]>([
	['500', '3', { status: 500 }],
	['a dropped connection', '1', { disconnect: 'beforeResponse' }],
	['a truncated response', '2', { disconnect: 'midBody' }],
	['a response that does not come', '2', { hang: true }],
	['a web page', '2', page],
])('A poll with %s as page %s fails, and the next one catches up', async (_name, number, fault) => {
	const workflow = await watching.activateWorkflow(watchAssets({ pageSize: 4, firstPage: '1' }));
	const added = watching.service.addAssets(5);
	const memory = workflow.memory();
	const when: Fault['when'] = ({ path, query }) => path === '/v1/assets' && query.Page === number;
	watching.service.injectFault({ ...fault, when });
	const error = await getError(workflow.poll());
	expect(error.name).toBe('NodeApiError');
	expect(workflow.memory()).toBe(memory);
	watching.service.clearFaults();
	expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	expect(await workflow.poll()).toEqual([]);
});

test.each<[string, Fault]>([
	['429', { status: 429 }],
	['500', { status: 500 }],
	['401', { status: 401, body: { message: 'Authorization has been denied.' } }],
])('n8n keeps a trigger whose first poll after a restart fails (%s)', async (_what, fault) => {
	const workflow = await watching.activateWorkflow();
	const added = watching.service.addAssets(1);
	watching.service.injectFault(fault);
	expect(await workflow.restart()).toEqual([]);
	const line = (fault.status === 429 ? getInfos() : warnings).at(-1);
	expect(line).toContain('The next poll tries again.');
	if (fault.status !== 429) await getError(workflow.poll());
	watching.service.clearFaults();
	forgetRateLimits();
	expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
});

test('Polls that are refused beside a batch are left to the next, and the log says so once at info', async () => {
	const workflow = await watching.activateWorkflow();
	for (let batch = 1; batch <= 2; batch++) {
		const added = watching.service.addAssets(2);
		watching.service.injectFault({ status: 429, headers: { 'retry-after': '120' } });
		for (let poll = 0; poll < 3; poll++) {
			expect(await workflow.poll()).toEqual([]);
			await clock.pass(600_000);
		}
		const line = expect.stringContaining('The next poll tries again');
		expect(getInfos()).toEqual(Array(batch).fill(line));
		watching.service.clearFaults();
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	}
	expect(warnings).toEqual([]);
});

test('Polls that wait in vain for minutes are a line each five minutes', async () => {
	const workflow = await watching.activateWorkflow();
	watching.service.injectFault({ status: 429 });
	for (let poll = 0; poll < 15; poll++) {
		await workflow.poll();
		await new Promise((resolve) => setTimeout(resolve, 10_000));
	}
	watching.service.clearFaults();
	await workflow.poll();

	expect(getInfos()).toEqual([
		expect.stringContaining('has admitted no request for 10 s'),
		expect.stringContaining('The next poll tries again'),
		expect.stringContaining('has admitted no request for 311 s'),
		expect.stringContaining('admits requests again'),
	]);
});

test.each<[string, INodeParameters, object, string]>([
	['the credential has no API key', {}, { apiKey: undefined }, 'API Key is empty'],
	['Base URL is not a URL', {}, { baseUrl: 'garbage' }, 'Base URL is not an https:// address'],
	['an expression is invalid', { nameContains: '={{ nope( }}' }, {}, 'invalid syntax'],
])('If %s, the error says so and nothing is sent', async (_what, filters, credentials, words) => {
	const workflow = watching.createWorkflow(watchAssets({}, filters));
	Object.assign(workflow.credentials, credentials);
	expect(getErrorText(await getError(workflow.activate()))).toContain(words);
	expect(watching.service.requests).toEqual([]);
});
