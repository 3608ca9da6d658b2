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

import {
	expectAllEnded,
	killPrograms,
	SPECIAL_CHARACTERS,
	startNpm,
	startProgram,
	type Program,
} from './program';
import { startRegistry, type Registry } from './registry';

const PLATFORM = { os: [process.platform], cpu: [process.arch] };
const DEMANDS = { engines: { node: '>=99' }, peerDependencies: { peer: '1.0.0' } };
const TOOL = "console.log('tool', process.argv.slice(2).join(' ')); process.exitCode = 3;";
const packages = [
	{ name: 'part', versions: ['1.0.0', '1.1.0'] },
	{ name: 'tool', versions: ['1.0.0'], manifest: { bin: 'tool.js' }, files: { 'tool.js': TOOL } },
	{ name: 'binary', versions: ['1.0.0', '1.1.0'], manifest: PLATFORM },
	{ name: 'elsewhere', versions: ['1.0.0'], manifest: { os: ['aix'] } },
	{ name: 'demanding', versions: ['1.0.0'], manifest: DEMANDS },
	{ name: 'peer', versions: ['1.0.0'] },
];
let temporary: string;
let folder: string;
let registry: Registry;
let settings: NodeJS.ProcessEnv;

/** A project with our scripts and a few packages, which are not installed. */
beforeEach(async () => {
	registry = await startRegistry(packages);
	temporary = mkdtempSync(join(tmpdir(), 'avatar-studio-install-'));
	folder = join(temporary, SPECIAL_CHARACTERS);
	mkdirSync(folder);
	cpSync(join(projectRoot, 'scripts'), join(folder, 'scripts'), { recursive: true });
	writeProject();
	settings = {
		npm_config_registry: registry.url,
		npm_config_cache: join(temporary, 'cache'),
		npm_config_fetch_retries: '0',
	};
});

afterEach(async () => {
	killPrograms();
	await expectAllEnded(folder);
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
	const locked = {
		'': project,
		'node_modules/part': { version: part },
		'node_modules/demanding': { version: '1.0.0', ...DEMANDS },
		'node_modules/peer': { version: '1.0.0', peer: true },
		'node_modules/tool': { version: '1.0.0', dev: true },
		'node_modules/binary': { version: binary, optional: true, ...PLATFORM },
		'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['aix'] },
	};
	const lock = { name: 'project', version: '1.0.0', lockfileVersion: 3, packages: locked };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
	writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

function start(): Program {
	return startProgram(['scripts/run.js', 'tool', 'check', '--all'], folder, settings);
}

async function expectInstalled(program = start()): Promise<void> {
	expect(await program.whenEnded()).toBe(3);
	expect(program.output).toContain('Installing the project: done');
	expect(program.output).toContain('tool check --all');
	const names = packages.map(({ name }) => name).filter((name) => versionOf(name) !== undefined);
	expect(names).toEqual(['part', 'tool', 'binary', 'demanding', 'peer']);
}

async function expectRunsAtOnce(): Promise<void> {
	registry.downloads.length = 0;
	const program = start();
	expect(await program.whenEnded()).toBe(3);
	expect(program.output).toBe('tool check --all\n');
	expect(registry.downloads).toEqual([]);
}

function versionOf(name: string): string | undefined {
	const file = join(folder, 'node_modules', name, 'package.json');
	if (!existsSync(file)) return undefined;
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

describe('a command of the project', () => {
	it('installs what is missing, once, then runs the tool with its arguments and exit code', async () => {
		await expectInstalled();
		await expectRunsAtOnce();
	});

	it('accepts what "npm ci" installed', async () => {
		expect(await startNpm(['ci'], folder, settings).whenEnded()).toBe(0);

		await expectRunsAtOnce();
	});

	it.each(['part', 'binary'])('installs again when the lock file has a new %s', async (name) => {
		await expectInstalled();

		writeProject({ [name]: '1.1.0' });
		await expectInstalled();

		expect(versionOf(name)).toBe('1.1.0');
	});

	it('installs again when a package is missing', async () => {
		await expectInstalled();
		rmSync(join(folder, 'node_modules', 'part'), { recursive: true });

		await expectInstalled();
	});

	it('installs the same for a user whose settings omit packages', async () => {
		const npmrc = [
			'production = true',
			'omit[] = dev',
			'omit[] = optional',
			'omit[] = peer',
			'engine-strict = true',
			'legacy-peer-deps = true',
		];
		writeFileSync(join(temporary, '.npmrc'), npmrc.join('\n'));
		settings.npm_config_userconfig = join(temporary, '.npmrc');
		settings.NODE_ENV = 'production';

		await expectInstalled();
	});

	it('prints what npm says if an install fails, and installs the next time', async () => {
		registry.failWith = 503;
		const failed = start();

		expect(await failed.whenEnded()).toBe(1);
		expect(failed.output).toContain('npm error 503 Service Unavailable');
		expect(failed.output).toContain('Start again to go on');
		expect(failed.output).not.toContain('    at ');

		registry.failWith = undefined;
		await expectInstalled();
	});

	it.each(['SIGINT', 'SIGKILL'] as const)(
		'starts over after an install was ended by %s, whose npm ends as well',
		async (signal) => {
			registry.stall = 1;
			const interrupted = start();
			await registry.whenAsked();
			interrupted.child.kill(signal);
			await interrupted.whenEnded();

			await expectInstalled();
		},
	);

	it('waits for another install, and takes over if that is killed', async () => {
		registry.stall = 1;
		const other = start();
		await registry.whenAsked();
		const waiting = start();
		await waiting.whenPrinted('Waiting for another install');

		other.child.kill('SIGKILL');

		await expectInstalled(waiting);
	});
});

describe('package.json', () => {
	it('starts every command that way', () => {
		const manifest = readFileSync(join(projectRoot, 'package.json'), 'utf8');
		const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };

		for (const command of Object.values(scripts)) {
			expect(command).toMatch(/^node scripts\/(run|start)\.js( |$)/);
		}
	});
});
