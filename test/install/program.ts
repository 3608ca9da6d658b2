import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { killTree, whenEnded } from '../../n8n/childProcess';
import { projectRoot } from '../../n8n/installation';
import { findNpm } from '../../scripts/n8nFolder';

/** A folder name with the characters that break careless scripts. */
export const SPECIAL_CHARACTERS = 'it is a (süße) & more';

const PRELOAD = join(projectRoot, 'n8n', 'endWithParent.js');
const started: ChildProcess[] = [];

/**
 * Starts npm in its own process group, as a shell does, and without the npm settings of the process
 * that runs the tests. The group is killed if that process is killed.
 *
 * @returns `output` is everything it printed so far, and `ended` settles with its exit code
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
	const npm = { child, output: '', ended: whenEnded(child).then(() => child.exitCode) };
	for (const stream of [child.stdout, child.stderr]) {
		stream!.setEncoding('utf8').on('data', (text: string) => (npm.output += text));
	}
	return npm;
}

export function killPrograms(): void {
	for (const child of started.splice(0)) killTree(child, 'SIGKILL');
}
