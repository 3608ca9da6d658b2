import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../../n8n/installation';
import { startRegistry, type Registry } from '../support/registry';

import { killPrograms, SPECIAL_CHARACTERS, startNpm } from './program';

const published = {
	part: { description: 'complete' },
	tool: {},
	binary: { os: [process.platform], cpu: [process.arch] },
	elsewhere: { os: ['aix'] },
	demanding: { engines: { node: '>=99' }, peerDependencies: { peer: '1' } },
	peer: {},
};
const project = {
	dependencies: { demanding: '1' },
	devDependencies: { tool: '1' },
	optionalDependencies: { binary: '1', elsewhere: '1' },
	scripts: { test: 'node scripts/install.js && ls node_modules' },
};
let folder: string;
let registry: Registry;
let settings: NodeJS.ProcessEnv;

/** A project with our scripts and a few packages, which are not installed. */
beforeEach(async () => {
	const manifests = Object.entries(published).flatMap(([name, manifest]) =>
		['1.0.0', '1.1.0'].map((version) => ({ manifest: { ...manifest, name, version } })),
	);
	registry = await startRegistry(manifests);
	const temporary = mkdtempSync(join(tmpdir(), 'avatar-studio-install-'));
	folder = join(temporary, SPECIAL_CHARACTERS);
	mkdirSync(folder);
	for (const name of ['scripts', '.npmrc']) {
		cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
	}
	writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
	settings = {
		npm_config_registry: registry.url,
		npm_config_cache: join(temporary, 'cache'),
		npm_config_userconfig: join(temporary, 'userconfig'),
		npm_config_fetch_retries: '0',
	};
	await startNpm(['install', '--package-lock-only', 'part@1.0.0'], folder, settings).ended;
});

afterEach(async () => {
	killPrograms();
	await registry.close();
});

async function runTests(): Promise<{ code: number | null; output: string }> {
	const npm = startNpm(['test'], folder, settings);
	return { code: await npm.ended, output: npm.output };
}

async function expectInstalled(part = '1.0.0'): Promise<void> {
	const { code, output } = await runTests();
	expect(code).toBe(0);
	expect(output).toContain('Installing the packages');
	expect(output).toContain('binary\ndemanding\npart\npeer\ntool\n');
	const manifest = readFileSync(join(folder, 'node_modules/part/package.json'), 'utf8');
	expect(JSON.parse(manifest)).toMatchObject({ description: 'complete', version: part });
}

test('npm test installs what is missing, once, and again when the lock file changes', async () => {
	await expectInstalled();
	expect((await runTests()).output).not.toContain('Installing');

	const lockFile = join(folder, 'package-lock.json');
	const locked = readFileSync(lockFile, 'utf8');
	const changed = locked.replace(/(\/part": {\s+"version": )"1.0.0"/, '$1"1.1.0"');
	writeFileSync(lockFile, changed);
	await expectInstalled('1.1.0');
	expect(readFileSync(lockFile, 'utf8')).toBe(changed);
});

test('It installs the same in production, and for a user whose settings omit packages', async () => {
	const omitted = ['dev', 'optional', 'peer'].map((type) => `omit[] = ${type}`);
	const npmrc = [...omitted, 'engine-strict = true', 'legacy-peer-deps = true'];
	writeFileSync(settings.npm_config_userconfig!, npmrc.join('\n'));
	settings.NODE_ENV = 'production';

	await expectInstalled();
});

test('It says what to do if there is no network, and installs the next time', async () => {
	settings.npm_config_registry = 'http://127.0.0.1:1/';
	const { code, output } = await runTests();
	expect(code).toBe(1);
	expect(output).toContain('ECONNREFUSED');
	expect(output).toContain('Start again when npm can install them.');
	// As npm leaves a package that it was interrupted in.
	const part = join(folder, 'node_modules/part');
	mkdirSync(part, { recursive: true });
	writeFileSync(join(part, 'package.json'), '{ "name": "part", "version": "1.0.0" }');

	settings.npm_config_registry = registry.url;
	await expectInstalled();
});
