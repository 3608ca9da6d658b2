import { setTimeout as sleep } from 'node:timers/promises';

import { readExecution, type Execution, type StoredExecution } from './execution';
import { isVersion1 } from './installation';
import type { Owner } from './owner';

/** How long to wait before asking again. */
const STEP_MS = 100;
/** How long to ask. */
const MAX_WAIT_MS = 300_000;

interface Publication {
	status: 'published' | 'in_progress' | 'not_published' | 'partial' | 'failed';
	triggers: { errorMessage: string | null }[];
}

/** The owner's session with n8n's internal REST API. */
export class Session {
	private cookies?: Promise<string[]>;

	/**
	 * @param logIn returns the cookies of a session, see logIn; it is called once
	 * @param version of n8n, if it is not the default one
	 */
	constructor(
		readonly url: string,
		private readonly logIn: () => Promise<string[]>,
		readonly version?: string,
	) {}

	/** Calls a path below /rest and returns the data of the response. */
	async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.fetch(`/rest${path}`, {
			method,
			headers: body ? { 'content-type': 'application/json' } : {},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`n8n: ${method} ${path}: ${response.status} ${text}`);
		return (JSON.parse(text) as { data: T }).data;
	}

	/** Fetches a path of n8n's as the owner. */
	async fetch(path: string, options: RequestInit = {}): Promise<Response> {
		this.cookies ??= this.logIn();
		const cookie = (await this.cookies).map((line) => line.split(';')[0]).join('; ');
		const headers = { ...(options.headers as Record<string, string>), cookie };
		return await request(this.url + path, { ...options, headers });
	}

	/** Activates a workflow and waits until its triggers are registered. */
	async publish(id: string): Promise<void> {
		const { versionId } = await this.rest<{ versionId: string }>('GET', `/workflows/${id}`);
		await this.rest('POST', `/workflows/${id}/activate`, { versionId });
		const findPublished = async () => {
			const response = await this.fetch(`/rest/workflows/${id}/publication-status`);
			// Earlier versions have no such status: they respond once the triggers are registered.
			if (response.status === 404) return true;
			const { status, triggers } = ((await response.json()) as { data: Publication }).data;
			if (status === 'published') return true;
			if (status === 'in_progress') return undefined;
			const reasons = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
			throw new Error(`n8n did not publish ${id}: ${[status, ...reasons].join(', ')}`);
		};
		await waitFor(findPublished, `publish ${id}`);
	}

	/** Runs a workflow from one of its triggers and waits until it has finished. */
	async runWorkflow(id: string, trigger: string): Promise<Execution> {
		const { executionId } = await this.rest<{ executionId: string }>(
			'POST',
			`/workflows/${id}/run`,
			{
				// n8n 2 runs the stored workflow, 1.x the one in the request.
				workflowData: await this.rest('GET', `/workflows/${id}`),
				triggerToStartFrom: { name: trigger },
			},
		);
		return await this.waitForExecution(executionId);
	}

	/** Waits until no execution of a workflow runs and returns the latest 100, the last one first. */
	async executionsOf(id: string): Promise<Execution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const { results } = await this.rest<{ results: { id: string }[] }>(
			'GET',
			`/executions?limit=100&filter=${filter}`,
		);
		return await Promise.all(results.map(async (found) => await this.waitForExecution(found.id)));
	}

	private async waitForExecution(id: string): Promise<Execution> {
		const findFinished = async () =>
			readExecution(await this.rest<StoredExecution>('GET', `/executions/${id}`));
		return await waitFor(findFinished, `finish execution ${id}`);
	}
}

/** Creates the owner on n8n 1.x, which does not read one from the environment. */
export async function setUpOwner(url: string, owner: Owner, version?: string): Promise<void> {
	if (!isVersion1(version)) return;
	const { email, firstName, lastName, password } = owner;
	const setUp = async () => {
		const body = { email, firstName, lastName, password };
		const { status } = await post(`${url}/rest/owner/setup`, body);
		// n8n is healthy before its routes exist. An owner from an earlier start is a 400.
		return status === 404 ? undefined : status;
	};
	await waitFor(setUp, 'take its owner');
}

/**
 * Logs in and returns the cookies. Without a browser-id header n8n does not tie the session to one
 * browser, so the cookies can be passed on.
 */
export async function logIn(
	url: string,
	{ email, password }: Pick<Owner, 'email' | 'password'>,
): Promise<string[]> {
	const response = await post(`${url}/rest/login`, { emailOrLdapLoginId: email, password });
	if (!response.ok) {
		throw new Error(`n8n refused the login: ${response.status} ${await response.text()}`);
	}
	return response.headers.getSetCookie();
}

async function post(url: string, body: object): Promise<Response> {
	return await request(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
}

/**
 * Sends a request to n8n on a connection of its own, because n8n closes idle connections and a busy
 * process notices that too late. After 503 it is sent again: n8n refuses everything while its database
 * is slow, and on a busy machine it sometimes is.
 */
async function request(url: string, options: RequestInit): Promise<Response> {
	const headers = { ...(options.headers as Record<string, string>), connection: 'close' };
	const send = async () => {
		const response = await fetch(url, { ...options, headers });
		return response.status === 503 ? undefined : response;
	};
	return await waitFor(send, `accept a request to ${url}`);
}

/** Calls a function until it returns something. Throws after five minutes. */
async function waitFor<T>(find: () => Promise<T | undefined>, action: string): Promise<T> {
	const deadline = Date.now() + MAX_WAIT_MS;
	for (;;) {
		const found = await find();
		if (found !== undefined) return found;
		if (Date.now() > deadline) throw new Error(`n8n did not ${action} within five minutes.`);
		await sleep(STEP_MS);
	}
}
