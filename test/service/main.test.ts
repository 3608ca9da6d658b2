import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { startService } from '../../service/service';

const root = join(__dirname, '../..');
let child: ChildProcess | undefined;

afterEach(() => child?.kill('SIGKILL'));

/** Starts a program, `service/main.ts` with its options for example, and collects its output. */
function start(...args: string[]) {
	const started = spawn(process.execPath, ['--import', 'tsx', ...args], { cwd: root });
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

const main = 'service/main.ts';
const anyPort = ['--port', '0', '--files-port', '0'];

test('The printed curl command works, and Ctrl+C stops the service', async () => {
	const options = ['--assets', '2', '--options', '{ "apiKey": "mine", "basePath": "/studio" }'];
	const { started, output } = start(main, ...anyPort, ...options);
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

	const { code, stderr } = await run(main, '--port', port, '--files-port', '0');

	expect(code).toBe(1);
	expect(stderr).toBe(
		`Port ${port} is in use. Choose others with --port and --files-port (0 for any free port).\n`,
	);
	await other.close();
});

test('A command line that is wrong is reported, with the help text', async () => {
	const wrong = {
		'The service has no option latency.': ['--options', '{ "latency": 5 }'],
		'is not valid JSON': ['--options', 'fast'],
		'options.port should be': ['--port', 'high'],
		"Unknown option '--colour'": ['--colour', 'red'],
	};
	// All in one process, which takes a second to start.
	const script = `
		const main = require.resolve('./service/main.ts');
		for (const args of ${JSON.stringify(Object.values(wrong))}) {
			process.argv = [process.execPath, ...${JSON.stringify(anyPort)}, ...args];
			delete require.cache[main];
			require(main);
		}`;
	const { code, stdout, stderr } = await run('-e', script);

	expect([code, stdout]).toEqual([1, '']);
	for (const sentence of Object.keys(wrong)) expect(stderr).toContain(sentence);
	expect(stderr.match(/--help/g)).toHaveLength(4);
});
