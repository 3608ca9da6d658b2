import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../../n8n/installation';
import { startRegistry, type Registry } from '../support/registry';

import { killPrograms, SPECIAL_CHARACTERS, startNpm } from './program';

const published = [
	{ name: 'part', description: 'complete' },
	{ name: 'tool' },
	{ name: 'elsewhere', os: ['aix'] },
	{ name: 'demanding', engines: { node: '>=99' }, peerDependencies: { peer: '1' } },
	{ name: 'peer' },
].map((manifest) => ({ manifest: { ...manifest, version: '1.0.0' } }));
const project = {
	dependencies: { part: '1', demanding: '1' },
	devDependencies: { tool: '1' },
	optionalDependencies: { elsewhere: '1' },
	scripts: { test: 'node scripts/install.js && ls node_modules' },
};
let folder: string;
let registry: Registry;
let settings: NodeJS.ProcessEnv;

/** A project with our scripts and a few packages, which are not installed. */
beforeAll(async () => {
	registry = await startRegistry(published);
	const temporary = mkdtempSync(join(tmpdir(), 'avatar-studio-install-'));
	folder = join(temporary, SPECIAL_CHARACTERS);
	mkdirSync(folder);
	for (const name of ['scripts', '.npmrc']) {
		cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
	}
	writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
	const userconfig = join(temporary, 'userconfig');
	const omitted = ['dev', 'optional', 'peer'].map((type) => `omit[] = ${type}`);
	writeFileSync(userconfig, [...omitted, 'engine-strict = true'].join('\n'));
	settings = {
		NODE_ENV: 'production',
		npm_config_registry: registry.url,
		npm_config_cache: join(temporary, 'cache'),
		npm_config_userconfig: userconfig,
		npm_config_fetch_retries: '0',
	};
	const lock = ['install', '--package-lock-only', '--no-engine-strict'];
	await startNpm(lock, folder, settings).ended;
});

afterAll(async () => {
	killPrograms();
	await registry.close();
});

async function runTests(): Promise<{ code: number | null; output: string }> {
	const npm = startNpm(['test'], folder, settings);
	return { code: await npm.ended, output: npm.output };
}

test('npm test says what to do if there is no network', async () => {
	const { npm_config_registry: reachable } = settings;
	settings.npm_config_registry = 'http://127.0.0.1:1/';
	const { code, output } = await runTests();
	settings.npm_config_registry = reachable;
	expect(code).toBe(1);
	expect(output).toContain('Start again when npm can install them.');
});

test('It then installs everything, whatever npm and the shell are set to, and only once', async () => {
	const installed = 'demanding\npart\npeer\ntool\n';
	const first = await runTests();
	expect(first.output).toContain('Installing the packages');
	expect(first.output).toContain(installed);
	const second = await runTests();
	expect(second.output).not.toContain('Installing');
	expect(second.output).toContain(installed);
});

test('It installs again if the lock file lists another version', async () => {
	const manifest = join(folder, 'node_modules/.package-lock.json');
	const present = readFileSync(manifest, 'utf8');
	writeFileSync(manifest, present.replace('"version": "1.0.0"', '"version": "0.9.0"'));
	expect((await runTests()).output).toContain('Installing the packages');
	expect(readFileSync(manifest, 'utf8')).toBe(present);
});
