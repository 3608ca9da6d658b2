import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runModule } from './commandLine';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'avatar-studio-install-'));
	mkdirSync(join(folder, 'part'));
	writeFileSync(join(folder, 'part', 'package.json'), '{ "name": "part", "version": "1.0.0" }');
	writeJson('package.json', { name: 'whole', dependencies: { part: 'file:part' } });
	writeLock('1.0.0');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeJson(file: string, content: unknown) {
	writeFileSync(join(folder, file), JSON.stringify(content));
}

function writeLock(version: string) {
	writeJson('package-lock.json', {
		name: 'whole',
		lockfileVersion: 3,
		packages: {
			'': { name: 'whole', dependencies: { part: 'file:part' } },
			'node_modules/part': { resolved: 'part', link: true },
			part: { version },
		},
	});
}

async function fits(): Promise<boolean> {
	const where = JSON.stringify(folder);
	return (await runModule('install.mjs', `console.log(demo.packagesFit(${where}));`)) === 'true';
}

async function install(): Promise<string> {
	const options = `{ folder: ${JSON.stringify(folder)}, title: 'Installing', signal }`;
	return await runModule(
		'install.mjs',
		`const { signal } = new AbortController();\nawait demo.installPackages(${options});`,
	);
}

describe('installing what is missing', () => {
	it('installs once and says so, and is silent the next time', async () => {
		expect(await fits()).toBe(false);

		expect(await install()).toContain('Installing: done');

		expect(existsSync(join(folder, 'node_modules', 'part', 'package.json'))).toBe(true);
		expect(await fits()).toBe(true);
		expect(await install()).toBe('');
	});

	it('installs again when the lock file has changed', async () => {
		await install();

		writeJson('part/package.json', { name: 'part', version: '1.1.0' });
		writeLock('1.1.0');

		expect(await fits()).toBe(false);
		expect(await install()).toContain('done');
		expect(await fits()).toBe(true);
	});

	it('notices an install that was interrupted, and makes it good', async () => {
		mkdirSync(join(folder, 'node_modules', 'part'), { recursive: true });

		expect(await fits()).toBe(false);
		expect(await install()).toContain('done');
		expect(await fits()).toBe(true);
	});

	it('accepts what npm itself installed by hand', async () => {
		mkdirSync(join(folder, 'node_modules', 'part'), { recursive: true });
		writeJson('node_modules/.package-lock.json', {
			packages: {
				'node_modules/part': { resolved: 'part', link: true },
				part: { version: '1.0.0' },
			},
		});

		expect(await fits()).toBe(true);

		writeJson('node_modules/.package-lock.json', { packages: { part: { version: '1.0.0' } } });
		expect(await fits()).toBe(false);
	});

	it('tells what npm said, and the way on, when it does not succeed', async () => {
		mkdirSync(join(folder, 'more'));
		writeJson('more/package.json', { name: 'more', version: '1.0.0' });
		writeJson('package.json', {
			name: 'whole',
			dependencies: { part: 'file:part', more: 'file:more' },
		});

		await expect(install()).rejects.toThrow(/do not belong together[^]*npm install/);
		expect(await fits()).toBe(false);
	});
});
