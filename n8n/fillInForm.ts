import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Fills in a published form as a browser does.
 *
 * @returns the page that it ends with, as HTML
 */
export async function fillInForm(url: string, fields: string[]): Promise<string> {
	const body = new FormData();
	fields.forEach((value, index) => body.append(`field-${index}`, value));
	const response = await fetch(url, { method: 'POST', body });
	assert(response.ok, `the form answered ${response.status}`);
	const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
	const ending = await openPage(formWaitingUrl);
	// The script of the last page sends this request, which ends the execution.
	await fetch(formWaitingUrl, { method: 'POST', body: '' });
	return ending;
}

/** Waits as the script of a form page does: n8n has no response while the execution runs. */
async function openPage(url: string): Promise<string> {
	const status = new URL(url);
	status.pathname += '/n8n-execution-status';
	for (;;) {
		const state = await (await fetch(status)).text();
		if (state === 'form-waiting') return await (await fetch(url)).text();
		// n8n 1.x says that it waits before it has written what for.
		const isUnderWay = ['new', 'running', 'waiting'].includes(state);
		assert(isUnderWay, `the execution of the form is ${state}`);
		await sleep(100);
	}
}
