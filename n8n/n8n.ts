import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import {
	createProgramError,
	hasEnded,
	killTree,
	startNode,
	stopNode,
	whenEnded,
} from './childProcess';
import { createDataTable, findDataTable, type TableContent } from './dataTable';
import { createEnvironment } from './environment';
import { importFile } from './importFile';
import { n8nCommand, requireFromN8n } from './installation';
import { installNode, packNode, type NodePackage } from './nodePackage';
import { openOwner, type Owner } from './owner';
import { findFreePorts, type Ports } from './ports';
import { logIn, Session, setUpOwner } from './session';
import { openUserFolder, saveImported } from './userFolder';
import { startsByItself, type Credential, type Workflow } from './workflow';

/** How long n8n may take to start. */
const READY_MS = 180_000;
/** How long n8n may take to say that it is ready. */
const HEALTH_MS = 5_000;
/** How long n8n may take to end its executions when it is stopped. */
const SHUTDOWN_MS = 15_000;

/** Options for starting n8n. */
export interface N8nOptions {
	/** One of n8n/versions; DEFAULT_VERSION if not given. */
	version?: string;
	/** Folder for workflows, credentials and executions; created if missing. */
	userFolder: string;
	/** Ports of the editor and of n8n's own task broker. Default: free ones. */
	ports?: Pick<Ports, 'n8n' | 'broker'>;
	credentials?: Credential[];
	workflows?: Workflow[];
	/** Data tables to create, unless there are tables with these names. */
	dataTables?: TableContent[];
	/** Which of the workflows to publish; by default those with a webhook or schedule. */
	publish?: (workflow: Workflow) => boolean;
	/** The node to install, or null for none. Default: the one built from the sources. */
	nodePackage?: NodePackage | null;
	/** Environment variables for n8n; they override those of environment.ts. */
	env?: NodeJS.ProcessEnv;
	signal?: AbortSignal;
	/** Called with a short description of each step. */
	onStep?: (step: string) => void;
}

/** Starts a real n8n with the node, the credentials and the workflows in it. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { userFolder, credentials = [], workflows = [], signal } = options;
	const ports = options.ports ?? (await findFreePorts());
	const onStep = options.onStep ?? (() => undefined);
	const bcrypt = requireFromN8n<{ hashSync: (text: string) => string }>(
		'bcryptjs',
		options.version,
	);
	const imported = openUserFolder(userFolder);
	const owner = openOwner(userFolder, bcrypt.hashSync);
	const env = createEnvironment({ ...options, ports, owner });

	if (options.nodePackage !== null) {
		onStep('building and installing the node');
		installNode(options.nodePackage ?? (await packNode(signal)), userFolder);
	}

	onStep('importing credentials and workflows');
	const asImported = JSON.stringify(credentials);
	if (imported.credentials !== asImported) {
		await importFile('credentials', credentials, { ...options, env });
	}
	// A workflow is imported only once, because users may change or delete it afterwards.
	const fresh = workflows.filter(({ id }) => !imported.workflows.includes(id));
	// The editor lists the last imported workflow first.
	await importFile('workflow', [...fresh].reverse(), { ...options, env });

	onStep('starting n8n');
	const n8n = new N8n({ ...options, ports }, owner, env);
	try {
		await n8n.waitUntilReady(`${n8n.url}/healthz/readiness`, signal);
		await setUpOwner(n8n.url, owner, options.version);
		await createMissingTables(n8n.session, options.dataTables);
		const published = fresh.filter(options.publish ?? startsByItself);
		for (const { id } of published) await n8n.session.publish(id);
		const ids = [...imported.workflows, ...fresh.map(({ id }) => id)];
		saveImported(userFolder, { credentials: asImported, workflows: ids });
	} catch (error) {
		await n8n.stop();
		throw error;
	}
	return n8n;
}

async function createMissingTables(session: Session, tables: TableContent[] = []): Promise<void> {
	for (const table of tables) {
		if (!(await findDataTable(session, table.name))) await createDataTable(session, table);
	}
}

/** Starts a worker of queue mode with the node in it; its environment is that of its main process. */
export async function startWorker(options: {
	version?: string;
	userFolder: string;
	env: NodeJS.ProcessEnv;
}): Promise<N8nProcess> {
	const { broker, n8n: port } = await findFreePorts();
	installNode(await packNode(), options.userFolder);
	const env = createEnvironment({
		...options,
		ports: { broker },
		env: {
			N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(port),
			...options.env,
		},
	});
	const worker = new N8nProcess('worker', options, env);
	await worker.waitUntilReady(`http://127.0.0.1:${port}/healthz/readiness`);
	return worker;
}

/** A process of n8n. */
export class N8nProcess {
	/** Log file with everything that n8n printed. */
	readonly logFile: string;
	/** Settles when the process has ended for any reason. */
	readonly ended: Promise<void>;
	private readonly child;

	constructor(
		command: 'start' | 'worker',
		{ version, userFolder }: Pick<N8nOptions, 'version' | 'userFolder'>,
		env: NodeJS.ProcessEnv,
	) {
		this.logFile = join(userFolder, 'n8n.log');
		const log = openSync(this.logFile, 'w', 0o600);
		const [node, ...args] = n8nCommand(version);
		const options = { node, cwd: userFolder, env, shutdownMs: SHUTDOWN_MS, output: log };
		this.child = startNode([...args, command], options);
		closeSync(log);
		this.ended = whenEnded(this.child);
	}

	get pid(): number {
		return this.child.pid!;
	}

	/** Waits until this URL responds with a success; stops the process if that takes too long. */
	async waitUntilReady(healthUrl: string, signal?: AbortSignal): Promise<void> {
		const deadline = Date.now() + READY_MS;
		while (!(await isHealthy(healthUrl))) {
			signal?.throwIfAborted();
			if (hasEnded(this.child) || Date.now() > deadline) {
				await this.stop();
				throw createProgramError(
					'n8n did not start',
					readFileSync(this.logFile, 'utf8'),
					`Its whole log is ${this.logFile}. To start from scratch: npm start -- --fresh`,
				);
			}
			await sleep(200);
		}
	}

	/** The lines that the process has written to its log. */
	readLog(): string[] {
		return readFileSync(this.logFile, 'utf8').split('\n');
	}

	/** Sends a signal to the process and everything it started, and does not wait. */
	kill(signal: NodeJS.Signals): void {
		killTree(this.child, signal);
	}

	/** Shuts the process down cleanly and waits until it has ended. */
	async stop(): Promise<void> {
		await stopNode(this.child);
		await this.ended;
	}
}

/** A main process of n8n. */
export class N8n extends N8nProcess {
	readonly url: string;
	readonly session: Session;

	constructor(
		options: N8nOptions & { ports: { n8n: number } },
		readonly owner: Owner,
		env: NodeJS.ProcessEnv,
	) {
		super('start', options, env);
		this.url = `http://127.0.0.1:${options.ports.n8n}`;
		this.session = new Session(this.url, async () => await this.logIn(), options.version);
	}

	/** Logs the owner in and returns the cookies for a browser. */
	async logIn(): Promise<string[]> {
		return await logIn(this.url, this.owner);
	}
}

async function isHealthy(url: string): Promise<boolean> {
	try {
		const signal = AbortSignal.timeout(HEALTH_MS);
		// n8n closes idle connections, so a later request gets a connection of its own.
		return (await fetch(url, { headers: { connection: 'close' }, signal })).ok;
	} catch {
		return false;
	}
}
