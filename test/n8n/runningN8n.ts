import { setTimeout as sleep } from 'node:timers/promises';

import type { Execution } from '../../n8n/execution';
import type { Session } from '../../n8n/session';
import { startService, type RecordedRequest, type Service } from '../../service/service';
import { downloadAsset, uploadAsset } from '../support/parameters';

import { connect } from './servers';

/** A node as a test defines it; name, type and parameters are enough. */
export interface Part {
	name: string;
	type: string;
	parameters: object;
	[more: string]: unknown;
}

/** A connection of a workflow: from, connection type, to, and the output of the first node. */
export type Wire = [from: string, kind: string, to: string, output?: number];

/** The account a node uses, as a workflow stores it. */
export type Account = Record<string, { id: string; name: string }>;

/** The trigger of a manual run. */
export const startByHand: Part = {
	name: 'Start by hand',
	type: 'n8n-nodes-base.manualTrigger',
	parameters: {},
};

/** Our node, doing one operation. */
export const STUDIO = 'n8n-nodes-avatar-studio.avatarStudio';

/** One item for each value; the values may also be an expression that returns a list. */
export function rows(values: object[] | string): Part[] {
	const list = typeof values === 'string' ? values : JSON.stringify(values);
	const setRows = { mode: 'raw', jsonOutput: `={{ { rows: ${list} } }}`, options: {} };
	const splitRows = { fieldToSplitOut: 'rows', options: {} };
	return [
		{ name: 'List', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: setRows },
		{ name: 'Rows', type: 'n8n-nodes-base.splitOut', parameters: splitRows },
	];
}

/** A node that passes items on, to see which ones arrive. */
export function collect(name: string): Part {
	return { name, type: 'n8n-nodes-base.noOp', parameters: {} };
}

export function connectInOrder(parts: Part[]): Wire[] {
	return parts.slice(1).map(({ name }, index): Wire => [parts[index]!.name, 'main', name]);
}

/** The real n8n with its own stand-in for the service, as useN8n sets them up. */
export class RunningN8n {
	service!: Service;
	session!: Session;
	/** For the nodes that reach the stand-in. */
	account!: Account;
	/** IDs of the credentials to delete after the tests of this file. */
	readonly accounts: string[] = [];
	/** IDs of the workflows to deactivate after the test. */
	readonly published: string[] = [];

	/** Our node with the account. */
	studio(name: string, parameters: object, settings: object = {}): Part {
		return { name, type: STUDIO, parameters, credentials: this.account, ...settings };
	}

	/** What Custom API Call creates: n8n's HTTP Request node with the account. */
	httpRequest(url: string, more: object = {}): Part {
		const authentication = 'predefinedCredentialType';
		const nodeCredentialType = 'avatarStudioApi';
		const parameters = { url, authentication, nodeCredentialType, options: {}, ...more };
		const type = 'n8n-nodes-base.httpRequest';
		const credentials = this.account;
		return { name: 'HTTP Request', type, typeVersion: 4.2, parameters, credentials };
	}

	/** Calls n8n's internal REST API: path below /rest. */
	async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
		return await this.session.rest<T>(method, path, body);
	}

	/** Creates a credential, which is deleted after the tests of this file. */
	async newAccount(type: string, data: object): Promise<Account> {
		const name = `${type} of a test`;
		const { id } = await this.rest<{ id: string }>('POST', '/credentials', { name, type, data });
		this.accounts.push(id);
		return { [type]: { id, name } };
	}

	async newWorkflow(...workflow: Parameters<typeof buildWorkflow>): Promise<string> {
		const body = buildWorkflow(...workflow);
		return (await this.rest<{ id: string }>('POST', '/workflows', body)).id;
	}

	/** Publishes a workflow until the end of the test. */
	async publish(workflowId: string): Promise<void> {
		await this.session.publish(workflowId);
		this.published.push(workflowId);
	}

	/** Runs a workflow manually, by default from Start by hand, and waits for it to finish. */
	async run(workflowId: string, trigger = startByHand.name): Promise<Execution> {
		return await this.session.runWorkflow(workflowId, trigger);
	}

	/** Runs a chain of nodes manually and waits for it to finish. */
	async runChain(...parts: Part[]): Promise<Execution> {
		const chain = [startByHand, ...parts];
		return await this.run(await this.newWorkflow('Chain', chain, connectInOrder(chain)));
	}

	/** Downloads an asset and uploads its file; returns both assets as the service has them. */
	async copyAsset() {
		const [original] = this.service.assets;
		const { error, items } = await this.runChain(
			this.studio('Download asset', downloadAsset(original!.id)),
			this.studio('Upload asset', uploadAsset()),
		);
		if (error) throw new Error(error);
		const [{ id }] = items['Upload asset'] as [{ id: string }];
		const copy = this.service.assets.find((asset) => asset.id === id && asset !== original);
		return { original: original!, copy: copy! };
	}

	/** Waits for a request that a run makes, and rejects if the run ends without it. */
	async waitForRequestOf(
		run: Promise<unknown>,
		filter: Parameters<Service['waitForRequest']>[0],
		service = this.service,
	): Promise<RecordedRequest> {
		const ended = run.then((result) => {
			throw new Error(`It ended without the request: ${JSON.stringify(result)}`);
		});
		return await Promise.race([service.waitForRequest(filter), ended]);
	}

	/** Waits for a request of a workflow that starts by itself, and rejects if an execution fails. */
	async waitForRequestBy(workflowId: string, path: string): Promise<RecordedRequest> {
		const request = this.service.waitForRequest({ path });
		for (;;) {
			const found = await Promise.race([request, sleep(500)]);
			if (found) return found;
			const executions = await this.session.executionsOf(workflowId);
			const failed = executions.find(({ status }) => status !== 'success');
			if (failed) throw new Error(`Execution ${failed.id} failed: ${failed.error}`);
		}
	}

	/** All that n8n's API returns of an execution, with its data as stored. */
	async stored(executionId: string): Promise<string> {
		return JSON.stringify(await this.rest('GET', `/executions/${executionId}`));
	}
}

/**
 * For the tests of one file: a stand-in, and a credential for it.
 *
 * @param newSession with the n8n to use, if it is not the one of the version
 */
export function useN8n(newSession = connect): RunningN8n {
	const n8n = new RunningN8n();

	beforeAll(async () => {
		const apiKey = 'a-key-that-stays-at-home';
		n8n.session = newSession();
		n8n.service = await startService({ asSpecified: true, apiKey, speechResponse: 'link' });
		const data = { baseUrl: n8n.service.url, apiKey };
		n8n.account = await n8n.newAccount('avatarStudioApi', data);
	});

	beforeEach(() => n8n.service.reset());

	afterEach(async () => {
		for (const id of n8n.published.splice(0)) {
			await n8n.rest('POST', `/workflows/${id}/deactivate`);
		}
		expect(n8n.service.violations).toEqual([]);
	});

	afterAll(async () => {
		await n8n.service.close();
		for (const id of n8n.accounts) await n8n.rest('DELETE', `/credentials/${id}`);
	});

	return n8n;
}

/** A workflow as n8n's API takes it. */
export function buildWorkflow(name: string, parts: Part[], wires: Wire[], settings: object = {}) {
	const nodes = parts.map((part, index) => {
		return { id: String(index), typeVersion: 1, position: [index * 220, 0], ...part };
	});
	const connections: Record<string, Record<string, object[][]>> = {};
	for (const [from, type, node, output = 0] of wires) {
		const outputs = ((connections[from] ??= {})[type] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]!.push({ node, type, index: 0 });
	}
	const withOrder = { executionOrder: 'v1', ...settings };
	return { name, nodes, connections, settings: withOrder, active: false };
}

/** Lets a service admit nothing for a minute after its first request; returns the lines to expect. */
export function watchWait(service: Service) {
	let until = Infinity;
	service.injectFault({
		when: ({ startedAt }) => {
			until = Math.min(until, startedAt + 60_000);
			return startedAt < until;
		},
		status: 429,
		body: { message: 'Only one at a time' },
	});
	return {
		expected: (node: string, workflow: string): unknown[] => [
			expect.stringMatching(
				`has admitted no request for 10 s \\(429 "Only one at a time"\\)\\. .* 1, of "${node}" in workflow "${workflow}"\\.$`,
			),
			expect.stringMatching(/ admits requests again, after \d\d s\.$/),
		],
	};
}
