import { closeSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { hasEnded, startProgram, stopProgram, whenOver } from './childProcess';
import { readExecution, type Execution } from './execution';
import { Explained } from './explained.cjs';
import { n8nEnvironment } from './n8nEnvironment';
import { n8nCommand } from './n8nFolder';
import { installNode, packNode, type NodePackage } from './nodePackage';
import { provision } from './provision';
import { Session } from './session';
import { openUserFolder, saveProvisioned, type Provisioned } from './userFolder';
import { startsByItself, type Credential, type Workflow } from './workflow';

const READY_MS = 180_000;

/** What a n8n is to start with. */
export interface N8nOptions {
	/** Keeps workflows, credentials and executions; made when it is not there. */
	userFolder: string;
	port: number;
	/** Port of n8n's own task broker. */
	brokerPort: number;
	credentials?: Credential[];
	workflows?: Workflow[];
	/** Which of the workflows to publish; those with a webhook or schedule unless told. */
	publish?: (workflow: Workflow) => boolean;
	/** The node to install; built from the sources unless given. */
	nodePackage?: NodePackage;
	/** More environment variables for n8n. */
	env?: NodeJS.ProcessEnv;
	signal?: AbortSignal;
	/** Told what is going on, in a few words for each step. */
	onStep?: (step: string) => void;
}

/** A n8n while it runs. */
export interface N8n {
	readonly url: string;
	/** Everything n8n printed. */
	readonly logFile: string;
	/** Settles when n8n has ended, whoever ended it. */
	readonly ended: Promise<void>;
	/** Logs the owner in and gives back the cookies, as a browser is to be given them. */
	login(): Promise<string[]>;
	/** Calls n8n's internal REST API as the owner: path below /rest. */
	rest<T>(method: string, path: string, body?: unknown): Promise<T>;
	/** Runs a workflow from one of its triggers and waits for the end. */
	runWorkflow(id: string, trigger: string): Promise<Execution>;
	/** The executions of a workflow, the latest first, once none of them is running. */
	executionsOf(id: string): Promise<Execution[]>;
	/** Ends n8n and waits until it is gone. */
	stop(): Promise<void>;
}

interface Publication {
	status: 'published' | 'in_progress' | 'not_published' | 'partial' | 'failed';
	triggers: { errorMessage: string | null }[];
}

/** Starts a real n8n with the node, the credentials and the workflows in it. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { userFolder, port, brokerPort, signal } = options;
	const step = options.onStep ?? (() => undefined);
	const provisioned = openUserFolder(userFolder);
	const env = n8nEnvironment({
		userFolder,
		port,
		brokerPort,
		passwordHash: provisioned.passwordHash,
		nodeFolder: dirname(n8nCommand()[0]),
		extra: options.env,
	});

	step('building and installing the node');
	await installNode(options.nodePackage ?? (await packNode(signal)), userFolder, signal);
	step('importing credentials and workflows');
	await provision({
		userFolder,
		provisioned,
		credentials: options.credentials ?? [],
		workflows: options.workflows ?? [],
		publish: options.publish ?? startsByItself,
		env,
		signal,
	});

	step('starting n8n');
	const n8n = new RunningN8n(options, env);
	try {
		await n8n.ready(signal);
		await n8n.publish(provisioned);
	} catch (error) {
		await n8n.stop();
		throw error;
	}
	return n8n;
}

class RunningN8n implements N8n {
	readonly url: string;
	readonly logFile: string;
	readonly ended: Promise<void>;
	private readonly userFolder: string;
	private readonly child;
	private readonly session: Session;

	constructor({ userFolder, port }: N8nOptions, env: NodeJS.ProcessEnv) {
		this.userFolder = userFolder;
		this.url = `http://127.0.0.1:${port}`;
		this.session = new Session(this.url);
		this.logFile = join(userFolder, 'n8n.log');
		const log = openSync(this.logFile, 'w');
		this.child = startProgram([...n8nCommand(), 'start'], {
			cwd: userFolder,
			env,
			output: log,
			channel: true,
		});
		closeSync(log);
		this.ended = whenOver(this.child);
	}

	async ready(signal?: AbortSignal): Promise<void> {
		const deadline = Date.now() + READY_MS;
		while (!(await this.isReady())) {
			signal?.throwIfAborted();
			if (hasEnded(this.child) || Date.now() > deadline) {
				await this.stop();
				const said = readFileSync(this.logFile, 'utf8').trim().split('\n').slice(-20).join('\n');
				throw new Explained(
					`n8n did not start:\n\n${said}`,
					`All it said is in ${this.logFile}. To start afresh: npm start -- --fresh`,
				);
			}
			await sleep(200);
		}
	}

	async publish(provisioned: Provisioned): Promise<void> {
		for (const id of [...provisioned.unpublished]) {
			const { versionId } = await this.rest<{ versionId: string }>('GET', `/workflows/${id}`);
			await this.rest('POST', `/workflows/${id}/activate`, { versionId });
			await this.published(id);
			provisioned.unpublished = provisioned.unpublished.filter((other) => other !== id);
			saveProvisioned(this.userFolder, provisioned);
		}
	}

	async login(): Promise<string[]> {
		return await this.session.login();
	}

	async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
		return await this.session.rest<T>(method, path, body);
	}

	async runWorkflow(id: string, trigger: string): Promise<Execution> {
		const { executionId } = await this.rest<{ executionId: string }>(
			'POST',
			`/workflows/${id}/run`,
			{ triggerToStartFrom: { name: trigger } },
		);
		return await readExecution(this.session, executionId);
	}

	async executionsOf(id: string): Promise<Execution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const { results } = await this.rest<{ results: { id: string }[] }>(
			'GET',
			`/executions?filter=${filter}`,
		);
		return await Promise.all(
			results.map(async (found) => await readExecution(this.session, found.id)),
		);
	}

	async stop(): Promise<void> {
		await stopProgram(this.child);
		await this.ended;
	}

	/** Publishing goes on after n8n has answered; a webhook is not there before its end. */
	private async published(id: string): Promise<void> {
		for (;;) {
			const { status, triggers } = await this.rest<Publication>(
				'GET',
				`/workflows/${id}/publication-status`,
			);
			if (status === 'published') return;
			if (status !== 'in_progress') {
				const reasons = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
				throw new Error(`n8n did not publish ${id}: ${[status, ...reasons].join(', ')}`);
			}
			await sleep(100);
		}
	}

	private async isReady(): Promise<boolean> {
		try {
			return (await fetch(`${this.url}/healthz/readiness`)).ok;
		} catch {
			return false;
		}
	}
}
