import { once } from 'node:events';
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
	type Program,
} from './program';
import { startRegistry, type Registry } from './registry';

const PLATFORM = { os: [process.platform], cpu: [process.arch] };
const DEMANDS = { engines: { node: '>=99' }, peerDependencies: { peer: '1.0.0' } };
const TOOL = '#!/usr/bin/env node\nconsole.log(...process.argv); process.exitCode = 3;';
const packages = [
	{ name: 'part', versions: ['1.0.0', '1.1.0'] },
	{ name: 'tool', versions: ['1.0.0'], manifest: { bin: 'tool.js' }, files: { 'tool.js': TOOL } },
	{ name: 'binary', versions: ['1.0.0'], manifest: PLATFORM },
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
	mkdirSync(join(folder, 'n8n', 'versions'), { recursive: true });
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
function writeProject(part = '1.0.0'): void {
	const project = {
		name: 'project',
		version: '1.0.0',
		dependencies: { part, demanding: '1.0.0' },
		devDependencies: { tool: '1.0.0' },
		optionalDependencies: { binary: '1.0.0', elsewhere: '1.0.0' },
		scripts: { test: 'node scripts/install.js && tool check' },
	};
	const locked = {
		'': project,
		'node_modules/part': { version: part },
		'node_modules/demanding': { version: '1.0.0', ...DEMANDS },
		'node_modules/peer': { version: '1.0.0', peer: true },
		'node_modules/tool': { version: '1.0.0', dev: true, bin: { tool: 'tool.js' } },
		'node_modules/binary': { version: '1.0.0', optional: true, ...PLATFORM },
		'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['aix'] },
	};
	const lock = { name: 'project', version: '1.0.0', lockfileVersion: 3, packages: locked };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
	writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

const start = (): Program => startNpm(['test', '--', '--all'], folder, settings);

async function expectInstalled(): Promise<void> {
	const program = start();
	expect(await program.whenEnded()).toBe(3);
	expect(program.output).toContain('Installing the packages');
	expect(program.output).toMatch(/tool check --all$/m);
	const names = packages.map(({ name }) => name).filter((name) => versionOf(name) !== undefined);
	expect(names).toEqual(['part', 'tool', 'binary', 'demanding', 'peer']);
}

function versionOf(name: string): string | undefined {
	const file = join(folder, 'node_modules', name, 'package.json');
	if (!existsSync(file)) return undefined;
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

describe('a command of the project', () => {
	it('installs what is missing, once, and again when the lock file changes', async () => {
		await expectInstalled();
		registry.downloads.length = 0;
		const again = start();
		expect(await again.whenEnded()).toBe(3);
		expect(again.output).not.toContain('Installing');
		expect(registry.downloads).toEqual([]);

		writeProject('1.1.0');
		await expectInstalled();
		expect(versionOf('part')).toBe('1.1.0');
	});

	it('installs the same in production, and for a user whose settings omit packages', async () => {
		const omitted = ['dev', 'optional', 'peer'].map((type) => `omit[] = ${type}`);
		const npmrc = [...omitted, 'engine-strict = true', 'legacy-peer-deps = true'];
		settings.npm_config_userconfig = join(temporary, '.npmrc');
		writeFileSync(settings.npm_config_userconfig, npmrc.join('\n'));
		settings.NODE_ENV = 'production';

		await expectInstalled();
	});

	it('installs through the proxy of the environment', async () => {
		settings.npm_config_registry = 'http://registry.example/';
		settings.HTTP_PROXY = registry.url;

		await expectInstalled();

		expect(registry.downloads).toContain('http://registry.example/part/-/part-1.0.0.tgz');
	});

	it('says without a stack that there is no network, and installs the next time', async () => {
		settings.npm_config_registry = 'http://127.0.0.1:1/';
		const failed = start();

		expect(await failed.whenEnded()).toBe(1);
		expect(failed.output).toContain('ECONNREFUSED');
		expect(failed.output).toContain('Start again to go on');
		expect(failed.output).not.toContain('    at ');

		settings.npm_config_registry = registry.url;
		await expectInstalled();
	});

	it.each(['SIGINT', 'SIGKILL'] as const)(
		'starts over after npm was ended by %s in the middle of an install',
		async (signal) => {
			registry.isSilent = true;
			const asked = once(registry.server, 'request');
			const interrupted = start();
			await asked;
			if (signal === 'SIGINT') interrupted.pressCtrlC();
			else interrupted.child.kill(signal);
			await expectAllEnded(folder);

			registry.isSilent = false;
			await expectInstalled();
		},
	);
});

describe('package.json', () => {
	it('starts every command that way', () => {
		const manifest = readFileSync(join(projectRoot, 'package.json'), 'utf8');
		const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };

		for (const command of Object.values(scripts)) {
			expect(command).toMatch(/^node scripts\/(install|start)\.js( |$)/);
		}
	});
});
