import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../../scripts/n8nFolder';

import { SPECIAL_CHARACTERS } from './clone';
import { expectAllEnded, listProcesses } from './processes';
import { killPrograms, startNpm, startProgram } from './program';
import { startRegistry, type Registry } from './registry';

let temporary: string;
let folder: string;
let registry: Registry;

/** Like npm start: the command starts a server and shuts it down on a signal. */
const SERVE = `
	const { runEntry } = require('./scripts/entry');
	const { startNode, stopNode } = require('./scripts/childProcess');
	const server = \`
		require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' });
		setTimeout(() => process.exit(), 600_000);
		console.log('server ready');\`;
	void runEntry(async (_args, signal) => {
		const output = (text) => process.stdout.write(text);
		const child = startNode(['-e', server], { cwd: __dirname, output });
		await new Promise((resolve) => signal.addEventListener('abort', resolve));
		await stopNode(child);
		console.log('stopped');
	});`;

/** A project with our scripts and one tool, whose packages are not installed. */
beforeEach(async () => {
	registry = await startRegistry([
		{
			name: 'tool',
			versions: ['1.0.0'],
			manifest: { bin: 'tool.js' },
			files: {
				'tool.js': "console.log('tool', process.argv.slice(2).join(' ')); process.exitCode = 3;",
			},
		},
	]);
	temporary = mkdtempSync(join(tmpdir(), 'avatar-studio-run-'));
	folder = join(temporary, SPECIAL_CHARACTERS);
	mkdirSync(folder);
	cpSync(join(projectRoot, 'scripts'), join(folder, 'scripts'), { recursive: true });
	const project = {
		name: 'project',
		version: '1.0.0',
		scripts: { start: 'node serve.js' },
		devDependencies: { tool: '1.0.0' },
	};
	const packages = { '': project, 'node_modules/tool': { version: '1.0.0', dev: true } };
	const lock = { name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
	writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
	writeFileSync(join(folder, 'serve.js'), SERVE);
});

afterEach(async () => {
	killPrograms();
	await expectAllEnded(folder);
	await registry.close();
	rmSync(temporary, { recursive: true, force: true });
});

describe('the commands in a fresh clone', () => {
	it('install what is missing, then run the tool with its arguments and exit code', async () => {
		const env = {
			npm_config_registry: registry.url,
			npm_config_cache: join(temporary, 'cache'),
		};
		const tool = startProgram(['scripts/run.js', 'tool', 'check', '--all'], { cwd: folder, env });

		expect(await tool.whenEnded()).toBe(3);
		expect(tool.output).toContain('Installing the project: done');
		expect(tool.output).toContain('tool check --all');
	});

	it('all start that way', () => {
		const manifest = readFileSync(join(projectRoot, 'package.json'), 'utf8');
		const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };

		for (const command of Object.values(scripts)) {
			expect(command).toMatch(/^node scripts\/(run|start)\.js( |$)/);
		}
	});

	it('say how to install a browser before anything else is installed', async () => {
		const env = { PATH: '/nowhere', CHROMIUM: '' };
		const tool = startProgram(['scripts/run.js', '--browser', 'tool'], { cwd: folder, env });

		expect(await tool.whenEnded()).toBe(1);
		expect(tool.output).toContain('The editor tests need Chromium or Chrome');
		for (const system of ['Debian', 'macOS', 'Windows']) expect(tool.output).toContain(system);
		expect(tool.output).not.toContain('    at ');
		expect(existsSync(join(folder, 'node_modules'))).toBe(false);
	});
});

describe('a command that runs a server', () => {
	it.each(['SIGTERM', 'SIGKILL'] as const)(
		'ends, with everything it started, when npm receives %s',
		async (signal) => {
			const npm = startNpm(['start'], { cwd: folder });
			await npm.whenPrinted('server ready');

			npm.child.kill(signal);

			await expectAllEnded(folder);
		},
	);

	it('shuts down cleanly on Ctrl-C', async () => {
		const npm = startNpm(['start'], { cwd: folder });
		await npm.whenPrinted('server ready');

		npm.pressCtrlC();
		await npm.whenEnded();

		expect(npm.output).toContain('stopped');
	});

	it('ends when the test suite that started it is killed', async () => {
		const script = `
			require('tsx/cjs/api')
				.require('./test/install/program.ts', __filename)
				.startNpm(['start'], { cwd: ${JSON.stringify(folder)} })
				.whenPrinted('server ready')
				.then(() => console.log('served'));`;
		const suite = startProgram(['-e', script], { cwd: projectRoot });
		await suite.whenPrinted('served');
		expect(listProcesses(folder)).not.toEqual([]);

		suite.child.kill('SIGKILL');

		await expectAllEnded(folder);
	});
});
