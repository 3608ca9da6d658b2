import type { IDataObject } from 'n8n-workflow';

import { removeRepeatAdvice } from '../../nodes/AvatarStudio/errors/repeatAdvice';
import { getStatusRule, STATUS_RULES } from '../../nodes/AvatarStudio/errors/statuses';
import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { logLines, warnings } from '../support/engine/engine';
import { addApiKey, getAllAssets, getAsset, getAvatars } from '../support/parameters';
import { useTrigger, watchAssets } from '../support/trigger';

// What follows from the row of a status, for every row and for one status of each class without a row.

const studio = useTrigger({ asSpecified: false });
const clock = useClock({ runs: true });

const WITHOUT_ROW = [303, 409, 599];
const statuses = [...Object.keys(STATUS_RULES).map(Number), ...WITHOUT_ROW];
const rules = statuses.map((status) => [status, getStatusRule(status)] as const);

/** More than the longest time from a failed attempt to the second one, unless the service asks for a pause. */
const BACKOFF_MS = 1_000;
const RETRY_AFTER_S = 40;

const firstAsset = () => studio.service.assets[0]!;
const messages = (level: string) =>
	logLines.filter((line) => line.level === level).map(({ message }) => message);

/** Runs the node, whose first request fails; returns what it logs, how it ends and how long it takes. */
async function runOnce(parameters: Parameters<typeof studio.getOutcome>[0], fault: Fault) {
	studio.service.injectFault({ times: 1, ...fault });
	const startedAt = performance.now();
	const { error, json } = await studio.getOutcome(parameters);
	const text = error ? `${error.message}. ${error.description ?? ''}` : '';
	return { text, json, ms: performance.now() - startedAt, attempts: studio.apiRequests.length };
}

test.each(rules)(
	'The hint of %i has no advice to repeat what a creation has paid for',
	(_status, rule) => {
		// If this fails, take the advice from repeatAdvice.ts, or add it there.
		expect(removeRepeatAdvice(rule.hint)).not.toMatch(/\bagain\b|\bretry\b/i);
	},
);

describe.each(rules)('After %i', (status, rule) => {
	const { again, outcome, summary, code, pauseMs } = rule;
	const isRefused = again === 'inTurn';
	const isRepeated = isRefused || again === 'soon';
	const isRateLimit = isRefused && outcome === 'notDone';
	const fault: Fault = { status, body: 'Words' };

	it('a creation is sent again only if it was certainly not done, and the log says what became of it', async () => {
		const isSentAgain = isRepeated && outcome === 'notDone';
		const { text, attempts } = await runOnce(addApiKey(), fault);

		expect(attempts).toBe(isSentAgain ? 2 : 1);
		expect(text.includes(`${summary} (${status}): Words`)).toBe(!isSentAgain);
		expect(text.includes('may exist anyway')).toBe(outcome === 'unknown');
		const failed = outcome === 'unknown' ? 'it may exist' : 'not done';
		expect(messages('debug').at(-1)).toContain(isSentAgain ? ': done.' : `: ${failed}.`);
	});

	it('a read is sent again if that may help, and the log says whether it was refused', async () => {
		const { text, attempts, ms, json } = await runOnce(getAsset(firstAsset().id), fault);

		expect([attempts, json.length]).toEqual(isRepeated ? [2, 1] : [1, 0]);
		expect(text.includes(`${summary} (${status}): Words`)).toBe(!isRepeated);
		expect(ms).toBeGreaterThanOrEqual(pauseMs);
		expect(ms).toBeLessThan(pauseMs + BACKOFF_MS);
		const line = isRefused ? `${status} "Words". It is sent again` : `${status}. It is sent again`;
		expect(messages('debug').filter((it) => it.includes(line))).toHaveLength(isRepeated ? 1 : 0);
	});

	it('a Retry-After counts only if the request was refused', async () => {
		const headers = { 'retry-after': String(RETRY_AFTER_S) };
		const { ms } = await runOnce(getAsset(firstAsset().id), { ...fault, headers });

		expect(ms >= RETRY_AFTER_S * 1000).toBe(isRefused);
		expect(messages('info').some((it) => it.includes('admits requests again'))).toBe(isRefused);
	});

	it('the error item has its code and, if a proxy may have responded, says so', async () => {
		studio.service.injectFault(fault);
		const settings = { onError: 'continueRegularOutput' } as const;
		const { json } = await studio.run(getAsset(firstAsset().id), { settings });

		const details = json[0]!.errorDetails as IDataObject;
		expect(details).toMatchObject({ httpCode: status, code, mayExist: false });
		const nextStep = details.nextStep as string | undefined;
		expect(nextStep?.includes('may be from a proxy')).toBe(rule.mayBeOfProxy);
	});

	it('a poll is left to the next one if there were only too many requests, else it fails', async () => {
		const workflow = await studio.activateWorkflow();
		studio.service.injectFault(fault);
		const ended = await workflow.poll().catch((error: Error) => error.message);

		expect(ended).toEqual(isRateLimit ? [] : `${summary} (${status}): Words`);
		const isTold = messages('info').some((it) => it.includes('The next poll tries again'));
		expect(isTold).toBe(isRateLimit);
	});

	it('an asset that cannot be read is left to the next poll, unless that cannot help', async () => {
		const workflow = await studio.activateWorkflow(watchAssets({ downloadFile: true }));
		const { id } = studio.service.addAssets(1)[0]!;
		studio.service.injectFault({ ...fault, when: { path: `/v1/assets/${id}` } });
		const items = await workflow.poll();
		studio.service.clearFaults();
		await clock.pass(60_000);
		const later = await workflow.poll();

		const isEmitted = again === 'never';
		const fileError = expect.stringContaining(`(${status})`) as string;
		expect(items).toMatchObject(isEmitted ? [{ json: { id, fileError } }] : []);
		expect(later).toHaveLength(isEmitted ? 0 : 1);
		expect(warnings).toHaveLength(isEmitted ? 0 : 1);
	});
});

describe.each(rules)('A list of which %i', (status, { rejects }) => {
	/** Reads five assets in pages of 100; the service responds with the status to the requests of these. */
	const countRead = async (when: Fault['when']) => {
		studio.service.injectFault({ status, when });
		return (await studio.getOutcome(getAllAssets())).json.length;
	};
	const rejectsPage = rejects.includes('page');

	it('is the response to page 0 is read from page 1 if it rejects that', async () => {
		const isRead = rejectsPage || rejects.includes('pageZero');
		expect(await countRead(({ query }) => query.Page === '0')).toBe(isRead ? 5 : 0);
	});

	it('is the response behind its last page is read if it rejects that', async () => {
		const isBehind: Fault['when'] = ({ query }) => query.Page === '2' && query.PageSize === '100';
		expect(await countRead(isBehind)).toBe(rejectsPage ? 5 : 0);
	});

	it('is the response to its page size is read in smaller pages if it rejects that', async () => {
		const isRead = rejects.includes('pageSize');
		expect(await countRead(({ query }) => query.PageSize === '100')).toBe(isRead ? 5 : 0);
	});

	it('is the response to its route is missing if it rejects that', async () => {
		studio.service.injectFault({ status });
		const text = await studio.getFailure(getAvatars({ returnAll: true }));
		expect(text.includes('This service has no list of avatars')).toBe(rejects.includes('route'));
	});
});
