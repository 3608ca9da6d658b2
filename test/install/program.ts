import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { hasEnded, killTree, whenEnded } from '../../n8n/childProcess';
import { projectRoot } from '../../n8n/installation';
import { findNpm } from '../../scripts/n8nFolder';

/** A folder name with the characters that break careless scripts. */
export const SPECIAL_CHARACTERS = 'it is a (süße) & more';

const PRELOAD = join(projectRoot, 'n8n', 'endWithParent.js');
const started: ChildProcess[] = [];

/**
 * Starts npm in its own process group, as a shell does, and without the npm settings of the process
 * that runs the tests. The group is killed if that process is killed.
 */
export function startNpm(args: string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
	const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
	const child = spawn(process.execPath, ['--require', PRELOAD, findNpm(), ...args], {
		cwd,
		env: { ...Object.fromEntries(own), ...env },
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		detached: true,
	});
	started.push(child);
	const npm = {
		child,
		/** Everything it printed so far. */
		output: '',
		/** Settles with its exit code. */
		ended: whenEnded(child).then(() => child.exitCode),
		/** Settles once it has printed a text; fails if it ends first. */
		async whenPrinted(text: string | RegExp) {
			while (!npm.output.match(text)) {
				if (hasEnded(child)) throw new Error(`It ended without ${String(text)}:\n${npm.output}`);
				await sleep(50);
			}
		},
	};
	for (const stream of [child.stdout, child.stderr]) {
		stream!.setEncoding('utf8').on('data', (text: string) => (npm.output += text));
	}
	return npm;
}

/** Kills all programs that are still running. */
export function killPrograms(): void {
	for (const child of started.splice(0)) killTree(child, 'SIGKILL');
}

/** Settles once no process runs in a folder; fails with their command lines after half a minute. */
export async function expectAllEnded(folder: string): Promise<void> {
	for (let round = 0; listProcesses(folder).length > 0; round++) {
		if (round === 300) throw new Error(`Still running:\n${listProcesses(folder).join('\n')}`);
		await sleep(100);
	}
}

/** The command lines of all processes that run in a folder or run a program from it. */
export function listProcesses(folder: string): string[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
		.flatMap((pid) => {
			try {
				const command = readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ');
				const cwd = readlinkSync(join('/proc', pid, 'cwd'));
				return command.includes(folder) || cwd.startsWith(folder) ? [command] : [];
			} catch {
				// It ended in the meantime.
				return [];
			}
		});
}
