import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Fills in the pages of a published form as a browser does, up to its ending.
 *
 * @param n8nUrl address of n8n
 * @param path of the form
 * @param pages the fields of each page, in their order
 * @returns the pages that followed the first one as HTML; the last one is the ending
 */
export async function fillInForm(n8nUrl: string, path: string, ...pages: string[][]) {
	const first = await fetch(`${n8nUrl}/form/${path}`);
	assert(first.ok, `the form answered ${first.status}`);
	let { formWaitingUrl } = await submit(`${n8nUrl}/form/${path}`, pages[0]!);
	const seen: string[] = [];
	for (const fields of pages.slice(1)) {
		seen.push(await openPage(formWaitingUrl!));
		({ formWaitingUrl = formWaitingUrl } = await submit(formWaitingUrl!, fields));
	}
	const ending = await openPage(formWaitingUrl!);
	// The script of the last page sends this request, which ends the execution.
	await fetch(formWaitingUrl!, { method: 'POST', body: '' });
	return [...seen, ending];
}

/** @returns the URL of the execution that waits for the page after the first one */
async function submit(url: string, fields: string[]): Promise<{ formWaitingUrl?: string }> {
	const body = new FormData();
	fields.forEach((value, index) => body.append(`field-${index}`, value));
	const response = await fetch(url, { method: 'POST', body });
	const text = await response.text();
	assert(response.ok, `the form answered ${response.status} ${text}`);
	return text.startsWith('{') ? (JSON.parse(text) as { formWaitingUrl?: string }) : {};
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
