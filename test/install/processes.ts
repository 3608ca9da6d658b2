import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROUNDS = 300;
const ROUND_MS = 100;

/** Returns the command lines of all processes that run in a folder or run a program from it. */
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

/** Settles once no process runs in a folder; fails with their command lines after a while. */
export async function expectAllEnded(folder: string): Promise<void> {
	for (let round = 0; listProcesses(folder).length > 0; round++) {
		if (round === ROUNDS) throw new Error(`Still running:\n${listProcesses(folder).join('\n')}`);
		await sleep(ROUND_MS);
	}
}
