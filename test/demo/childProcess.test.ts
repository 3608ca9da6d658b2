import { once } from 'node:events';
import { join } from 'node:path';

import { hasEnded, runProgram, startProgram, stopProgram } from '../../n8n/childProcess';
import { projectRoot } from '../../scripts/n8nFolder';

const preload = ['--require', join(projectRoot, 'scripts', 'endWithParent.js')];
const cwd = projectRoot;

describe('programs the demo starts', () => {
	it('gives back what a program printed', async () => {
		const script = "console.log('out'); console.error('err'); process.exitCode = 3;";

		const { code, output } = await runProgram([process.execPath, '-e', script], { cwd });

		expect(code).toBe(3);
		expect(output).toContain('out');
		expect(output).toContain('err');
	});

	it('names a program that is not there', async () => {
		await expect(runProgram(['no-such-program'], { cwd })).rejects.toMatchObject({
			message: 'The program "no-such-program" was not found on this machine.',
		});
	});

	it('ends a running program when the start is interrupted', async () => {
		const controller = new AbortController();
		const idle = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
		const running = runProgram(idle, { cwd, signal: controller.signal });
		controller.abort(new Error('SIGINT'));

		await expect(running).rejects.toThrow('SIGINT');
	});

	it('lets a program end in order, by its own handler of SIGTERM', async () => {
		const script = `
			process.on('SIGTERM', () => { console.log('good night'); process.exit(0); });
			setInterval(() => {}, 1000);
			console.log('ready');`;
		let output = '';
		const child = startProgram([process.execPath, ...preload, '-e', script], {
			cwd,
			output: (text) => (output += text),
			channel: true,
		});
		await once(child.stdout!, 'data');

		await stopProgram(child);

		expect(hasEnded(child)).toBe(true);
		expect(child.exitCode).toBe(0);
		expect(output).toContain('good night');
	});

	it('ends a program that has no handler yet', async () => {
		const script = "console.log('ready'); setInterval(() => {}, 1000);";
		const child = startProgram([process.execPath, ...preload, '-e', script], {
			cwd,
			output: () => undefined,
			channel: true,
		});
		await once(child.stdout!, 'data');

		await stopProgram(child);

		expect(hasEnded(child)).toBe(true);
	});
});
