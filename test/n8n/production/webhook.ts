import { randomUUID } from 'node:crypto';

import type { Part } from '../runningN8n';

/** What the caller of a webhook got: a response, or none because the connection broke off. */
export interface WebhookResult {
	status?: number;
	/** The output of the last node; none unless the execution succeeded. */
	items: Record<string, unknown>[];
}

/** A Webhook node that responds with all items of the last node. */
export function webhook(): { part: Part; path: string } {
	const path = randomUUID();
	const response = { responseMode: 'lastNode', responseData: 'allEntries' };
	const parameters = { path, httpMethod: 'POST', ...response, options: {} };
	const type = 'n8n-nodes-base.webhook';
	return { part: { name: 'Webhook', type, typeVersion: 2, webhookId: path, parameters }, path };
}

export async function callWebhook(url: string, body: object): Promise<WebhookResult> {
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			// So that a test says how many calls were not answered.
			signal: AbortSignal.timeout(240_000),
		});
		const text = await response.text();
		const { status } = response;
		return { status, items: status === 200 ? (JSON.parse(text) as WebhookResult['items']) : [] };
	} catch {
		return { items: [] };
	}
}

/** Calls a webhook so many times, so many at a time, with the number of the call in the body. */
export async function callWebhookTimes(url: string, times: number, concurrency: number) {
	const results: WebhookResult[] = [];
	let next = 0;
	const caller = async () => {
		while (next < times) {
			const call = next++;
			results[call] = await callWebhook(url, { call });
		}
	};
	await Promise.all(Array.from({ length: concurrency }, caller));
	return results;
}
