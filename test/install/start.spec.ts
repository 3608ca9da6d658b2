import { execFileSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { OWNER_FILE, type Owner } from '../../n8n/owner';
import { logIn, Session } from '../../n8n/session';
import { n8n } from '../../package.json';
import { projectRoot } from '../../scripts/n8nFolder';

import {
	expectAllEnded,
	killPrograms,
	listProcesses,
	SPECIAL_CHARACTERS,
	startNpm,
} from './program';

const SOURCE = 'nodes/AvatarStudio/AvatarStudio.node.ts';
// Differs between two runs of this suite on the same machine.
const PORT = 17_000 + (process.pid % 1_000) * 10;
const URL = `http://127.0.0.1:${PORT}`;
const session = new Session(URL, async () => await logIn(URL, readOwner()));
// Hard links need the same file system.
const isSame = statSync(tmpdir()).dev === statSync(projectRoot).dev;
const base = mkdtempSync(join(isSame ? tmpdir() : projectRoot, 'avatar-studio-clone-'));
const clone = join(base, SPECIAL_CHARACTERS);

function readOwner(): Owner {
	return JSON.parse(readFileSync(join(clone, '.demo', OWNER_FILE), 'utf8')) as Owner;
}

beforeAll(() => {
	mkdirSync(clone);
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const files = execFileSync('git', list, { cwd: projectRoot, encoding: 'utf8' }).split('\0');
	const present = files.filter((file) => file && existsSync(join(projectRoot, file)));
	execFileSync('cp', ['--parents', ...present, clone], { cwd: projectRoot });
	linkPackages('node_modules');
	linkPackages('n8n/versions/2.41.1/node_modules');
	rmSync(join(clone, 'n8n/versions/2.41.1/node_modules/sqlite3/build'), { recursive: true });
});

afterEach(async () => {
	killPrograms();
	await expectAllEnded(clone);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/**
 * Links installed packages into the clone: n8n's own, which depend on their paths, as if they were
 * installed, and its database driver, which is not yet built; the other 200,000 files in place.
 */
function linkPackages(folder: string): void {
	const [from, to] = [join(projectRoot, folder), join(clone, folder)];
	mkdirSync(to);
	for (const name of readdirSync(from).filter((entry) => entry !== '.cache')) {
		if (/^(@?n8n|sqlite3$)/.test(name)) execFileSync('cp', ['-al', join(from, name), to]);
		else symlinkSync(join(from, name), join(to, name));
	}
}

async function start(script: 'start' | 'dev') {
	const npm = startNpm(['run', script, '--', '--port', String(PORT)], clone);
	await npm.whenPrinted('Ctrl-C stops everything.');
	return npm;
}

test('npm pack and publish never make a package without the node in it', async () => {
	expect(await startNpm(['pack'], clone).ended).not.toBe(0);

	const npm = startNpm(['publish', '--dry-run', '--tag', 'next'], clone);
	expect(await npm.ended).toBe(0);
	for (const file of [...n8n.credentials, ...n8n.nodes]) {
		expect(npm.output).toContain(file);
	}
});

describe('npm start, in a folder with a space, an umlaut and what else breaks careless scripts', () => {
	it('adds the database driver, or says what to install to build it', async () => {
		const addDriver = (env: NodeJS.ProcessEnv) =>
			startNpm(['run', 'bench', '--', '--help'], clone, env);
		const withoutCompiler = { CC: 'false', CXX: 'false', npm_config_build_from_source: 'true' };
		const failed = addDriver(withoutCompiler);
		expect(await failed.ended).toBe(1);
		expect(failed.output).toContain('python3, make and g++');
		expect(failed.output).not.toContain('    at ');

		// Without optimization, it is built in half of the time.
		expect(await addDriver({ CFLAGS: '-O0', CXXFLAGS: '-O0' }).ended).toBe(0);
		expect(readdirSync(tmpdir()).filter((name) => name.includes('driver'))).toEqual([]);
	});

	it('runs once per folder, for its owner only, and ends if npm is killed', async () => {
		const npm = await start('start');
		const second = startNpm(['start', '--', '--port', String(PORT + 10)], clone);
		expect(await second.ended).toBe(1);
		expect(second.output).toContain(`A demo already runs in ${clone}`);

		const published = { email: 'demo@example.com', password: 'Avatar-Studio-1' };
		await expect(logIn(URL, published)).rejects.toThrow('n8n refused the login: 401');
		const setUp = await fetch(`${URL}/rest/owner/setup`, { method: 'POST' });
		expect(setUp.ok).toBe(false);

		expect(listProcesses(clone).join('\n')).toContain('task-runner');
		npm.child.kill('SIGKILL');
		await expectAllEnded(clone);
	});

	it('starts again, and loads a saved change; npm run dev shows errors and ends on Ctrl-C', async () => {
		const file = join(clone, SOURCE);
		const source = readFileSync(file, 'utf8');
		const npm = await start('dev');
		await npm.whenPrinted('Found 0 errors');

		writeFileSync(file, source.replace(/description: '[^']+'/, "description: 'Just saved'"));
		await expectDescription('Just saved');

		writeFileSync(file, `${source}\nexport const wrong: number = 'text';\n`);
		await npm.whenPrinted(/AvatarStudio\.node\.ts.*error TS2322/);

		writeFileSync(file, `${source}\nthrow new Error('while loading');\n`);
		await npm.whenPrinted(/cannot be loaded[^]*Error: while loading\s+at .*AvatarStudio\.node\.js/);

		npm.pressCtrlC();
		await npm.whenPrinted('Stopped. The next start goes on from here.');
		await expectAllEnded(clone);
	});
});

/** Waits until n8n shows this description of our node, which it does not know while it reloads it. */
async function expectDescription(description: string): Promise<void> {
	const nodeInfos = [{ name: 'n8n-nodes-avatar-studio.avatarStudio', version: 1 }];
	for (;;) {
		const nodes = session.rest<{ description: string }[]>('POST', '/node-types', { nodeInfos });
		const [shown] = await nodes.catch(() => []);
		if (shown?.description === description) return;
		await sleep(200);
	}
}
