import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { startService } from '../../service/service';

const root = join(__dirname, '../..');

describe('npx tsx service/main.ts', () => {
	let child: ChildProcess | undefined;

	afterEach(() => child?.kill('SIGKILL'));

	function start(...args: string[]) {
		const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
		const started = spawn(process.execPath, [tsx, 'service/main.ts', ...args], { cwd: root });
		child = started;
		const output = { stdout: '', stderr: '' };
		started.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()));
		started.stderr.on('data', (text: Buffer) => (output.stderr += text.toString()));
		return { started, output };
	}

	async function ended(...args: string[]) {
		const { started, output } = start(...args);
		const [code] = (await once(started, 'close')) as [number | null];
		return { code, ...output };
	}

	it('serves what its own curl example asks for, and ends at SIGINT', async () => {
		const { started, output } = start('--port', '0', '--files-port', '0', '--assets', '2');
		while (!output.stdout.includes('curl')) await once(started.stdout, 'data');
		const url = /http\S+\/v1\/assets/.exec(output.stdout)![0];

		const headers = { 'x-api-key': 'demo-key', accept: 'application/json' };
		const response = await fetch(url, { headers });

		expect(((await response.json()) as { assets: unknown[] }).assets).toHaveLength(7);
		started.kill('SIGINT');
		expect(await once(started, 'close')).toEqual([0, null]);
		expect(output.stderr).toBe('');
	});

	it('tells that a port is in use, and what to do', async () => {
		const other = await startService();
		const { port } = new URL(other.url);

		const { code, stderr } = await ended('--port', port, '--files-port', '0');

		expect(code).toBe(1);
		expect(stderr).toBe(
			`Port ${port} is in use. Choose others with --port and --files-port (0 is any free).\n`,
		);
		await other.close();
	});

	it('explains its options', async () => {
		const { code, stdout } = await ended('--help');

		expect(code).toBe(0);
		expect(stdout).toContain('--speech <answer>');
	});

	it.each([
		[['--speech', 'song'], '--speech must be one of empty, link'],
		[['--port', 'high'], '--port must be a whole number'],
		[['--colour', 'red'], '--colour'],
	])('explains what is wrong with %j', async (args, sentence) => {
		const { code, stderr } = await ended(...args);

		expect(code).toBe(1);
		expect(stderr).toContain(sentence);
		expect(stderr).toContain('--help');
	});
});
