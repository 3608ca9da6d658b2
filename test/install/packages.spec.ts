import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runNode } from '../../scripts/childProcess';
import { findNpm } from '../../scripts/findNpm';
import { install } from '../../scripts/install';
import { projectRoot } from '../../scripts/n8nFolder';

import { SPECIAL_CHARACTERS } from './clone';
import { expectAllEnded } from './processes';
import { killPrograms, startProgram } from './program';
import { startRegistry, type Registry } from './registry';

const PLATFORM = { os: [process.platform], cpu: [process.arch] };
const packages = [
	{ name: 'part', versions: ['1.0.0', '1.1.0'] },
	{ name: 'tool', versions: ['1.0.0'] },
	{ name: 'binary', versions: ['1.0.0', '1.1.0'], manifest: PLATFORM },
	{ name: 'elsewhere', versions: ['1.0.0'], manifest: { os: ['aix'] } },
	{ name: 'demanding', versions: ['1.0.0'], manifest: { engines: { node: '>=99' } } },
];
const environment = { ...process.env };
const { isTTY } = process.stdout;
let temporary: string;
let folder: string;
let registry: Registry;
let printed: string;
let onPrint: () => void;

beforeEach(async () => {
	registry = await startRegistry(packages);
	temporary = mkdtempSync(join(tmpdir(), 'avatar-studio-install-'));
	folder = join(temporary, SPECIAL_CHARACTERS);
	mkdirSync(folder);
	process.env.npm_config_registry = registry.url;
	process.env.npm_config_cache = join(temporary, 'cache');
	process.env.npm_config_fetch_retries = '0';
	writeProject();
	printed = '';
	onPrint = () => undefined;
	jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
		printed += String(text);
		onPrint();
		return true;
	});
});

afterEach(async () => {
	jest.restoreAllMocks();
	killPrograms();
	await expectAllEnded(folder);
	process.env = { ...environment };
	process.stdout.isTTY = isTTY;
	await registry.close();
	rmSync(temporary, { recursive: true, force: true });
});

/** Writes package.json and package-lock.json, as `npm install --package-lock-only` would. */
function writeProject({ part = '1.0.0', binary = '1.0.0' } = {}): void {
	const project = {
		name: 'project',
		version: '1.0.0',
		dependencies: { part, demanding: '1.0.0' },
		devDependencies: { tool: '1.0.0' },
		optionalDependencies: { binary, elsewhere: '1.0.0' },
	};
	const lock = {
		name: 'project',
		version: '1.0.0',
		lockfileVersion: 3,
		requires: true,
		packages: {
			'': project,
			'node_modules/part': { version: part },
			'node_modules/demanding': { version: '1.0.0', engines: { node: '>=99' } },
			'node_modules/tool': { version: '1.0.0', dev: true },
			'node_modules/binary': { version: binary, optional: true, ...PLATFORM },
			'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['aix'] },
		},
	};
	writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
	writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

async function run(options: Partial<Parameters<typeof install>[0]> = {}): Promise<void> {
	const { signal } = new AbortController();
	await install({ folder, title: 'Installing', signal, ...options });
}

/** Starts an install in a separate process. */
function startInstall() {
	const options = `{ folder: ${JSON.stringify(folder)}, title: 'Installing', signal }`;
	const script = `
		const { signal } = new AbortController();
		require('./scripts/install').install(${options});`;
	const { npm_config_registry, npm_config_cache } = process.env;
	const env = { npm_config_registry, npm_config_cache };
	return startProgram(['-e', script], { cwd: projectRoot, env }).child;
}

async function whenPrinted(text: string): Promise<void> {
	await new Promise<void>((resolve) => {
		onPrint = () => {
			if (printed.includes(text)) resolve();
		};
	});
}

const isInstalled = (name: string) =>
	existsSync(join(folder, 'node_modules', name, 'package.json'));

function versionOf(name: string): string {
	const file = join(folder, 'node_modules', name, 'package.json');
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function expectComplete(): void {
	expect(['part', 'tool', 'binary', 'demanding'].filter((name) => !isInstalled(name))).toEqual([]);
	expect(isInstalled('elsewhere')).toBe(false);
	expectNothingLeft();
}

function expectNothingLeft(): void {
	expect(readdirSync(folder).filter((name) => name.startsWith('.installing'))).toEqual([]);
}

describe('installing what is missing', () => {
	it('installs once and reports it, and does nothing the next time', async () => {
		await run();

		expectComplete();
		expect(printed).toContain('Installing: done');

		printed = '';
		registry.downloads.length = 0;
		await run();
		expect(printed).toBe('');
		expect(registry.downloads).toEqual([]);
	});

	it('installs again when the lock file has changed', async () => {
		await run();

		writeProject({ part: '1.1.0' });
		await run();

		expect(versionOf('part')).toBe('1.1.0');
	});

	it('installs again when only a package for this platform has changed, such as Node', async () => {
		await run();

		writeProject({ binary: '1.1.0' });
		await run();

		expect(versionOf('binary')).toBe('1.1.0');
	});

	it('installs again when a package is missing', async () => {
		await run();
		rmSync(join(folder, 'node_modules', 'part'), { recursive: true });

		await run();

		expectComplete();
	});

	it('accepts what "npm ci" installed', async () => {
		const npm = [findNpm(), 'ci', '--ignore-scripts'];
		expect(await runNode(npm, { cwd: folder, env: process.env })).toMatchObject({ code: 0 });

		await run();

		expect(printed).toBe('');
	});

	it('installs the same for a user whose settings omit packages', async () => {
		const settings = [
			'production = true',
			'omit[] = dev',
			'omit[] = optional',
			'omit[] = peer',
			'engine-strict = true',
			'dry-run = true',
			'global = true',
			'package-lock = false',
			'install-strategy = nested',
		];
		process.env.npm_config_userconfig = join(temporary, '.npmrc');
		writeFileSync(process.env.npm_config_userconfig, settings.join('\n'));
		process.env.NODE_ENV = 'production';

		await run();

		expectComplete();
	});

	it('keeps the previous packages if an install fails, and says what to do', async () => {
		await run();
		writeProject({ part: '1.1.0' });
		registry.failWith = 503;

		await expect(run()).rejects.toMatchObject({
			message: expect.stringContaining('The npm registry did not answer') as string,
			hint: expect.stringContaining('Check the network') as string,
		});

		expect(versionOf('part')).toBe('1.0.0');
		expectNothingLeft();
		registry.failWith = undefined;
		await run();
		expect(versionOf('part')).toBe('1.1.0');
	});

	it('says what to do if package.json and the lock file differ', async () => {
		writeFileSync(
			join(folder, 'package.json'),
			JSON.stringify({ name: 'project', dependencies: { part: '1.1.0' } }),
		);

		await expect(run()).rejects.toMatchObject({
			message: expect.stringContaining('do not belong together') as string,
			hint: expect.stringContaining('npm install') as string,
		});
	});

	it('starts over after an install was killed, whose npm ends as well', async () => {
		registry.stall = 99;
		const killed = startInstall();
		await registry.whenAsked();
		killed.kill('SIGKILL');

		registry.stall = 0;
		await run();

		expectComplete();
	});

	it('waits for another install of the same folder', async () => {
		registry.stall = 1;
		const other = startInstall();
		await registry.whenAsked();
		const mine = run();

		await whenPrinted(`Waiting for another install (process ${other.pid})`);
		other.kill('SIGKILL');
		await mine;

		expectComplete();
	});

	it('restarts a stalled download once', async () => {
		registry.stall = 99;
		const installed = run({ patience: { quietMs: 1_000, stalledMs: 10_000 } });

		await whenPrinted('starting it once more');
		registry.stall = 0;
		await installed;

		expectComplete();
	});

	it('reports a stalled download, gives up on the second one, and says what to do', async () => {
		registry.stall = 99;
		process.stdout.isTTY = true;

		await expect(run({ patience: { quietMs: 1_000, stalledMs: 4_000 } })).rejects.toMatchObject({
			message: expect.stringContaining('nothing was received') as string,
			hint: expect.stringContaining('Check the network') as string,
		});

		expect(printed).toMatch(/nothing received for \d s: is the network slow\?/);
		expect(existsSync(join(folder, 'node_modules'))).toBe(false);
	});
});
