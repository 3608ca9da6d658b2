import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { startNode, stopNode } from '../../n8n/childProcess';
import { projectRoot } from '../../n8n/installation';

const cwd = projectRoot;

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

test('A program that is stopped ends with its own SIGTERM handler', async () => {
	const script = `
		process.on('SIGTERM', () => { console.log('good night'); process.exit(0); });
		setInterval(() => {}, 1000);
		console.log('ready');`;
	let output = '';
	const child = startNode(['-e', script], {
		cwd,
		shutdownMs: 10_000,
		output: (text) => (output += text),
	});
	await once(child.stdout!, 'data');
	await stopNode(child);

	expect(child.exitCode).toBe(0);
	expect(output).toContain('good night');
});

test('Programs end, with everything they started, when their parent is killed', async () => {
	const program = `
		const child = require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' });
		console.log(process.pid, child.pid);`;
	const script = `
		require('./n8n/childProcess').startNode(['-e', ${JSON.stringify(program)}], {
			cwd: '.',
			output: (text) => console.log(text),
		});`;
	const parent = spawn(process.execPath, ['--import', 'tsx', '-e', script], { cwd });
	const pids = String(await once(parent.stdout, 'data'))
		.trim()
		.split(' ')
		.map(Number);
	expect(pids.map(isRunning)).toEqual([true, true]);

	parent.kill('SIGKILL');
	while (pids.some(isRunning)) await sleep(20);
});
