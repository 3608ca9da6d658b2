import { execFileSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { projectRoot } from '../../scripts/n8nFolder';

/** A copy of the sources in a folder whose name is as awkward as a name may be. */
export interface Clone {
	readonly folder: string;
	remove(): void;
}

/**
 * Copies the sources as a fresh clone has them.
 *
 * @param installed folders of installed packages to add, as hard links
 */
export function makeClone(...installed: string[]): Clone {
	// Hard links need the same file system.
	const isSame = statSync(tmpdir()).dev === statSync(projectRoot).dev;
	const base = isSame ? tmpdir() : join(projectRoot, '.demo');
	mkdirSync(base, { recursive: true });
	const parent = mkdtempSync(join(base, 'avatar-studio-clone-'));
	const folder = join(parent, "it's a (test) & more");
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const files = execFileSync('git', list, { cwd: projectRoot, encoding: 'utf8' });
	for (const file of files.split('\0')) {
		const from = join(projectRoot, file);
		if (file && existsSync(from)) cpSync(from, join(folder, file));
	}
	for (const name of installed) {
		const to = dirname(join(folder, name));
		execFileSync('cp', ['-al', join(projectRoot, name), to]);
	}
	return { folder, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/** Returns the command lines of all processes that run in a folder or run a program of it. */
export function listProcesses(folder: string): string[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
		.flatMap((pid) => {
			try {
				const command = readFileSync(join('/proc', pid, 'cmdline'), 'utf8')
					.split('\0')
					.join(' ');
				const cwd = readlinkSync(join('/proc', pid, 'cwd'));
				return command.includes(folder) || cwd.startsWith(folder) ? [command] : [];
			} catch {
				// It has ended in the meantime.
				return [];
			}
		});
}

/** Settles once no process runs in a folder; fails with their command lines after a while. */
export async function whenAllEnded(folder: string): Promise<void> {
	for (let round = 0; listProcesses(folder).length > 0; round++) {
		if (round === 300) throw new Error(`Still running: ${listProcesses(folder).join('\n')}`);
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}
