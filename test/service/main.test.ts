import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { startService } from '../../service/service';

const root = join(__dirname, '../..');
let child: ChildProcess | undefined;

afterEach(() => child?.kill('SIGKILL'));

/** Starts `service/main.ts` and collects its output. */
function start(...args: string[]) {
	const script = ['--import', 'tsx', 'service/main.ts'];
	const started = spawn(process.execPath, [...script, ...args], { cwd: root });
	child = started;
	const output = { stdout: '', stderr: '' };
	started.stdout.on('data', (text: Buffer) => (output.stdout += text.toString()));
	started.stderr.on('data', (text: Buffer) => (output.stderr += text.toString()));
	return { started, output };
}

async function run(...args: string[]) {
	const { started, output } = start(...args);
	const [code] = (await once(started, 'close')) as [number | null];
	return { code, ...output };
}

const anyPort = ['--port', '0', '--files-port', '0'];

test('The printed curl command works, and Ctrl+C stops the service', async () => {
	const options = ['--assets', '2', '--options', '{ "apiKey": "mine", "basePath": "/studio" }'];
	const { started, output } = start(...anyPort, ...options);
	while (!output.stdout.includes('curl')) await once(started.stdout, 'data');
	const url = /http\S+\/studio\/v1\/assets/.exec(output.stdout)![0];

	const headers = { 'x-api-key': 'mine', accept: 'application/json' };
	const response = await fetch(url, { headers });

	expect(((await response.json()) as { assets: unknown[] }).assets).toHaveLength(7);
	started.kill('SIGINT');
	expect(await once(started, 'close')).toEqual([0, null]);
	expect(output.stderr).toBe('');
});

test('A port in use is reported, with the options that choose another', async () => {
	const other = await startService();
	const { port } = new URL(other.url);

	const { code, stderr } = await run('--port', port, '--files-port', '0');

	expect(code).toBe(1);
	expect(stderr).toBe(
		`Port ${port} is in use. Choose others with --port and --files-port (0 for any free port).\n`,
	);
	await other.close();
});

test.each([
	[['--options', '{ "latency": 5 }'], 'The service has no option latency.'],
	[['--options', 'fast'], 'JSON'],
	[['--port', 'high'], 'port'],
	[['--colour', 'red'], '--colour'],
])('%j is reported as wrong, with the help text', async (args, sentence) => {
	const { code, stderr } = await run(...anyPort, ...args);

	expect(code).toBe(1);
	expect(stderr).toContain(sentence);
	expect(stderr).toContain('--help');
});
