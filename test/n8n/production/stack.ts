import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startN8n, startWorker, type N8n, type N8nProcess } from '../../../n8n/n8n';
import { findFreePorts, type Ports } from '../../../n8n/ports';
import { useN8n } from '../runningN8n';
import { n8nVersion } from '../servers';

import { startPostgres, startRedis, type Server } from './servers';

/** How n8n runs: on one machine with either database, or in queue mode with workers. */
export type Mode = 'SQLite' | 'PostgreSQL' | 'queue mode';

/** A real n8n of several processes. */
export type Stack = ReturnType<typeof useStack>;

const WORKERS = 2;

/** Starts n8n before the tests of a file or block and stops it after them. */
export function useStack(mode: Mode, env: NodeJS.ProcessEnv = {}) {
	const servers: Server[] = [];
	const workers: N8nProcess[] = [];
	const settings: NodeJS.ProcessEnv = {
		N8N_ENCRYPTION_KEY: 'of-the-stack',
		// Lets a workflow say which process runs it.
		N8N_BLOCK_ENV_ACCESS_IN_NODE: 'false',
		...env,
	};
	let root: string;
	let mainPorts: Ports;
	let main: N8n;

	const startMain = async () => {
		main = await startN8n({
			version: n8nVersion(),
			userFolder: join(root, 'main'),
			ports: mainPorts,
			env: { PROCESS_NAME: 'main', ...settings },
		});
	};
	const startWorkerAt = async (index: number) => {
		workers[index] = await startWorker({
			version: n8nVersion(),
			userFolder: join(root, `worker-${index}`),
			env: { PROCESS_NAME: `worker ${index}`, ...settings },
		});
	};

	beforeAll(async () => {
		root = mkdtempSync(join(tmpdir(), 'avatar-studio-stack-'));
		mainPorts = await findFreePorts();
		// A worker knows the main process's address from here only.
		settings.WEBHOOK_URL = `http://127.0.0.1:${mainPorts.n8n}/`;
		if (mode !== 'SQLite') {
			const postgres = await startPostgres();
			servers.push(postgres);
			Object.assign(settings, {
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: '127.0.0.1',
				DB_POSTGRESDB_PORT: String(postgres.port),
				DB_POSTGRESDB_DATABASE: 'n8n',
				DB_POSTGRESDB_USER: 'n8n',
				// n8n reads the credential for every item, over three connections. With the defaults of
				// 20 and 5 seconds, those at the end of thousands gave up, and so did n8n's own ping: it
				// then replaces its connections, and a run that was waiting for one never ends.
				DB_POSTGRESDB_CONNECTION_TIMEOUT: '300000',
				DB_PING_TIMEOUT_MS: '300000',
			});
		}
		if (mode === 'queue mode') {
			const redis = await startRedis();
			servers.push(redis);
			Object.assign(settings, {
				EXECUTIONS_MODE: 'queue',
				OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
				QUEUE_BULL_REDIS_HOST: '127.0.0.1',
				QUEUE_BULL_REDIS_PORT: String(redis.port),
			});
		}
		await startMain();
		if (mode !== 'queue mode') return;
		await Promise.all(Array.from({ length: WORKERS }, (_, index) => startWorkerAt(index)));
	});

	// Between the two hooks, because Jest calls both kinds in the order they are set.
	const n8n = useN8n(() => main.session);

	afterAll(async () => {
		await Promise.all(workers.map((worker) => worker.stop()));
		await main?.stop();
		for (const server of servers) await server.stop();
		rmSync(root, { recursive: true, force: true });
	});

	return {
		get main() {
			return main;
		},
		/** What tests use of the main process, with a stand-in for the service. */
		n8n,
		workers,
		/** Starts the main process again on its port, after it has ended. */
		restartMain: startMain,
		restartWorker: startWorkerAt,
		/** Peak of the resident memory of the main process, in MiB. */
		readPeakMemory() {
			const status = readFileSync(`/proc/${main.pid}/status`, 'utf8');
			return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024);
		},
	};
}
