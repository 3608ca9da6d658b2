import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { runNode, startNode, stopNode } from '../../n8n/childProcess';
import { projectRoot } from '../../n8n/installation';

const cwd = projectRoot;
const IDLE = "setInterval(() => {}, 1000); console.log('ready');";

/** Settles once no process with this ID is left. */
async function waitForExit(pid: number): Promise<void> {
	for (;;) {
		try {
			process.kill(pid, 0);
		} catch {
			return;
		}
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

describe('started programs', () => {
	it('are killed if the run is interrupted', async () => {
		const controller = new AbortController();
		const running = runNode(['-e', IDLE], { cwd, signal: controller.signal });
		controller.abort(new Error('SIGINT'));

		await expect(running).rejects.toThrow('SIGINT');
	});

	it('shut down cleanly with their own SIGTERM handler', async () => {
		const script = `process.on('SIGTERM', () => { console.log('good night'); process.exit(0); });`;
		let output = '';
		const child = startNode(['-e', script + IDLE], {
			cwd,
			shutdownMs: 10_000,
			output: (text) => (output += text),
		});
		await once(child.stdout!, 'data');
		await stopNode(child);

		expect(child.exitCode).toBe(0);
		expect(output).toContain('good night');
	});

	it('end, with everything they started, when their parent is killed', async () => {
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
		expect(pids).toHaveLength(2);

		parent.kill('SIGKILL');

		await Promise.all(pids.map(waitForExit));
	});
});
