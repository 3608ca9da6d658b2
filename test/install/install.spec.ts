import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { projectRoot } from '../../scripts/n8nFolder';
import { startRegistry, type Registry } from '../support/registry';

import { expectAllEnded, killPrograms, SPECIAL_CHARACTERS, startNpm } from './program';

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
	const args = ['install', '--package-lock-only', 'part@1.0.0'];
	await startNpm(args, folder, settings).ended;
});

afterEach(async () => {
	killPrograms();
	await expectAllEnded(folder);
	await registry.close();
});

const runTests = () => startNpm(['test'], folder, settings);

async function expectInstalled(part = '1.0.0'): Promise<void> {
	const npm = runTests();
	expect(await npm.ended).toBe(0);
	expect(npm.output).toContain('Installing the packages');
	expect(npm.output).toContain('binary\ndemanding\npart\npeer\ntool\n');
	const manifest = readFileSync(join(folder, 'node_modules/part/package.json'), 'utf8');
	expect(JSON.parse(manifest)).toMatchObject({ description: 'complete', version: part });
}

describe('npm test, in a folder with a space, an umlaut and what else breaks careless scripts', () => {
	it('installs what is missing, once, and again when the lock file changes', async () => {
		await expectInstalled();
		registry.isSilent = true;
		const again = runTests();
		expect(await again.ended).toBe(0);
		expect(again.output).not.toContain('Installing');

		registry.isSilent = false;
		const lockFile = join(folder, 'package-lock.json');
		const locked = readFileSync(lockFile, 'utf8');
		const changed = locked.replace(/(\/part": {\s+"version": )"1.0.0"/, '$1"1.1.0"');
		writeFileSync(lockFile, changed);
		await expectInstalled('1.1.0');
		expect(readFileSync(lockFile, 'utf8')).toBe(changed);
	});

	it('installs the same in production, and for a user whose settings omit packages', async () => {
		const omitted = ['dev', 'optional', 'peer'].map((type) => `omit[] = ${type}`);
		const npmrc = [...omitted, 'engine-strict = true', 'legacy-peer-deps = true'];
		writeFileSync(settings.npm_config_userconfig!, npmrc.join('\n'));
		settings.NODE_ENV = 'production';

		await expectInstalled();
	});

	it('installs through the proxy of the environment', async () => {
		settings.npm_config_registry = 'http://registry.example';
		settings.HTTP_PROXY = registry.url;

		await expectInstalled();

		expect(registry.downloads).toContain('http://registry.example/part/-/part-1.0.0.tgz');
	});

	it('says without a stack that there is no network, and installs the next time', async () => {
		settings.npm_config_registry = 'http://127.0.0.1:1/';
		const failed = runTests();

		expect(await failed.ended).toBe(1);
		expect(failed.output).toContain('ECONNREFUSED');
		expect(failed.output).toContain('Start again');
		expect(failed.output).not.toContain('    at ');

		settings.npm_config_registry = registry.url;
		await expectInstalled();
	});

	it.each(['SIGINT', 'SIGKILL'] as const)(
		'leaves nothing running after %s in the middle of an install, and starts over',
		async (signal) => {
			registry.isSilent = true;
			const { requests } = registry;
			const interrupted = runTests();
			while (registry.requests === requests) await sleep(50);
			if (signal === 'SIGINT') interrupted.pressCtrlC();
			else interrupted.child.kill(signal);
			await expectAllEnded(folder);
			// As npm leaves a package that it was interrupted in.
			const part = join(folder, 'node_modules/part');
			mkdirSync(part, { recursive: true });
			writeFileSync(join(part, 'package.json'), '{ "name": "part", "version": "1.0.0" }');

			registry.isSilent = false;
			await expectInstalled();
		},
	);
});
