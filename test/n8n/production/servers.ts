import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { hasEnded } from '../../../n8n/childProcess';
import { findFreePorts } from '../../../n8n/ports';
import { UserError } from '../../../scripts/userError';

/** A server of Debian's on a free port of 127.0.0.1, with a folder that is removed at its end. */
export interface Server {
	readonly port: number;
	stop(): Promise<void>;
}

interface ServerOptions {
	/** Command that runs the server in the foreground. */
	command: (port: number, folder: string) => string[];
	/** Command that succeeds once the server responds. */
	probe: (port: number) => string[];
	/** Whom the server runs as, if not as the current user. */
	user?: { uid: number; gid: number };
	/** Runs before the server starts. */
	prepare?: (folder: string) => void;
}

const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const PROBE_MS = 100;

/** @throws UserError if PostgreSQL or Redis is not installed */
export function requireServers(): void {
	const missing = findPostgres() ? [] : ['postgresql'];
	if (spawnSync('redis-server', ['--version']).status !== 0) missing.push('redis-server');
	if (missing.length === 0) return;
	throw new UserError(
		`The tests of queue mode need PostgreSQL and Redis; install what is missing with "apt-get install ${missing.join(' ')}".`,
		'They are packages of Debian and its kin.',
	);
}

/** @returns the folder of the newest server's programs; its client alone is not enough */
function findPostgres(): string | undefined {
	const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS) : [];
	const folders = versions.sort().map((version) => join(POSTGRES_VERSIONS, version, 'bin'));
	return folders.reverse().find((folder) => existsSync(join(folder, 'initdb')));
}

/** Starts a Redis that keeps nothing on disk. */
export async function startRedis(): Promise<Server> {
	return await startServer({
		command: (port, folder) => [
			'redis-server',
			...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
		],
		probe: (port) => ['redis-cli', '-p', String(port), 'ping'],
	});
}

/** Starts a PostgreSQL with an empty database n8n, which its user n8n needs no password for. */
export async function startPostgres(): Promise<Server> {
	const programs = findPostgres()!;
	const program = (name: string) => join(programs, name);
	// PostgreSQL refuses to run as root.
	const user = process.getuid?.() === 0 ? idsOf('postgres') : undefined;
	const server = await startServer({
		user,
		prepare: (folder) => {
			const args = ['-D', folder, '-U', 'n8n', '-A', 'trust', '-E', 'UTF8', '--no-locale'];
			const options = { ...user, cwd: folder, stdio: 'ignore' } as const;
			execFileSync(program('initdb'), [...args, '--no-sync'], options);
		},
		command: (port, folder) => [
			program('postgres'),
			...['-D', folder, '-p', String(port), '-h', '127.0.0.1', '-k', folder],
		],
		probe: (port) => [program('pg_isready'), '-h', '127.0.0.1', '-p', String(port)],
	});
	const database = ['-h', '127.0.0.1', '-p', String(server.port), '-U', 'n8n', 'n8n'];
	execFileSync(program('createdb'), database);
	return server;
}

async function startServer({ command, probe, user, prepare }: ServerOptions): Promise<Server> {
	const { service: port } = await findFreePorts();
	const folder = mkdtempSync(join(tmpdir(), 'avatar-studio-server-'));
	if (user) chownSync(folder, user.uid, user.gid);
	prepare?.(folder);
	const [name, ...args] = command(port, folder);
	const asUser = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
	// setpriv lets the kernel end the server when this process dies without a chance to.
	const child = spawn('setpriv', [...asUser, '--pdeathsig=KILL', '--', name!, ...args], {
		cwd: folder,
		stdio: 'ignore',
		detached: true,
	});
	const ended = once(child, 'exit');
	const [program, ...probeArgs] = probe(port);
	while (spawnSync(program!, probeArgs).status !== 0) {
		if (hasEnded(child))
			throw new Error(`${name} ended with ${child.exitCode} before it was ready`);
		await sleep(PROBE_MS);
	}
	return {
		port,
		async stop() {
			child.kill('SIGINT');
			await ended;
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function idsOf(user: string): { uid: number; gid: number } {
	const id = (option: string) => Number(execFileSync('id', [option, user]));
	return { uid: id('-u'), gid: id('-g') };
}
