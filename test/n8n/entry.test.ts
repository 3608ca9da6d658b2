import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const ENTRY = join(__dirname, '../../n8n/entry');

/** Takes longer to clean up than it takes to notice that npm has ended. */
const command = `
const [, folder] = process.argv;
const { setTimeout: sleep } = require('node:timers/promises');
void require(${JSON.stringify(ENTRY)}).runEntry(async (args, signal) => {
	process.stdout.write('ready');
	try {
		await sleep(60_000, undefined, { signal });
	} finally {
		process.stdout.write('Stopping');
		await sleep(1_000);
		process.stdout.write('Stopped');
		require('node:fs').rmdirSync(folder);
	}
});`;

test.each(['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGHUP SIGHUP'])(
	'A command that npm runs cleans up after %s, even if its terminal is gone',
	async (signals) => {
		const folder = mkdtempSync(join(tmpdir(), 'entry-'));
		// The shell stands for npm: it dies of a signal and leaves the command behind.
		const args = ['-c', '"$0" --import tsx -e "$1" "$2"; exit', process.execPath, command, folder];
		const shell = spawn('sh', args, {
			detached: true,
			env: { ...process.env, npm_lifecycle_event: 'start' },
			stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
		});
		// Inherited by the command, so it is open until the command has ended as well.
		const pipe = shell.stdio[3] as Readable;
		const ended = once(pipe.resume(), 'close');
		await once(shell.stdout!, 'data');
		shell.stdout!.destroy();
		for (const signal of signals.split(' ')) process.kill(-shell.pid!, signal);
		await ended;
		expect(existsSync(folder)).toBe(false);
	},
);
