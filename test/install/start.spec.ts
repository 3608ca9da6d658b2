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
import { projectRoot } from '../../scripts/n8nFolder';

import {
	expectAllEnded,
	killPrograms,
	listProcesses,
	SPECIAL_CHARACTERS,
	startNpm,
	type Program,
} from './program';

const SOURCE = 'nodes/AvatarStudio/AvatarStudio.node.ts';
// Differs between two runs of this suite on the same machine.
const PORT = 17_000 + (process.pid % 1_000) * 10;
const URL = `http://127.0.0.1:${PORT}`;
let temporary: string;
let clone: string;
const session = new Session(URL, async () => await logIn(URL, readOwner()));

function readOwner(): Owner {
	return JSON.parse(readFileSync(join(clone, '.demo', OWNER_FILE), 'utf8')) as Owner;
}

beforeAll(() => {
	// Hard links need the same file system.
	const isSame = statSync(tmpdir()).dev === statSync(projectRoot).dev;
	const base = isSame ? tmpdir() : join(projectRoot, '.demo');
	mkdirSync(base, { recursive: true });
	temporary = mkdtempSync(join(base, 'avatar-studio-clone-'));
	clone = join(temporary, SPECIAL_CHARACTERS);
	mkdirSync(clone);
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const files = execFileSync('git', list, { cwd: projectRoot, encoding: 'utf8' }).split('\0');
	const present = files.filter((file) => file && existsSync(join(projectRoot, file)));
	execFileSync('cp', ['--parents', ...present, clone], { cwd: projectRoot });
	linkPackages('node_modules');
	linkPackages('n8n/versions/2.41.1/node_modules');
});

afterEach(async () => {
	killPrograms();
	await expectAllEnded(clone);
});

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/**
 * Links installed packages into the clone: n8n's own, which depend on their paths, as if they were
 * installed; the other 200,000 files in place.
 */
function linkPackages(folder: string): void {
	const [from, to] = [join(projectRoot, folder), join(clone, folder)];
	mkdirSync(to);
	for (const name of readdirSync(from).filter((entry) => entry !== '.cache')) {
		if (/^@?n8n/.test(name)) execFileSync('cp', ['-al', join(from, name), to]);
		else symlinkSync(join(from, name), join(to, name));
	}
}

async function start(script: 'start' | 'dev'): Promise<Program> {
	const npm = startNpm(['run', script, '--', '--port', String(PORT)], clone);
	await npm.whenPrinted('Ctrl-C stops everything.');
	return npm;
}

describe('npm pack and publish, in a fresh clone', () => {
	it('never makes a package without the node in it', async () => {
		const npm = startNpm(['pack'], clone);

		expect(await npm.whenEnded()).not.toBe(0);
	});

	it('packs the built node', async () => {
		const publish = ['publish', '--dry-run', '--tag', 'next'];
		const npm = startNpm(publish, clone);

		expect(await npm.whenEnded()).toBe(0);
		expect(npm.output).toContain('dist/nodes/AvatarStudio/AvatarStudio.node.js');
		expect(npm.output).toContain('dist/nodes/AvatarStudio/AvatarStudioTrigger.node.js');
		expect(npm.output).toContain('dist/credentials/AvatarStudioApi.credentials.js');
	});
});

describe('npm start, in a folder with a space, a quote, a parenthesis and an ampersand', () => {
	it('runs once per folder, and ends with everything it started when npm is killed', async () => {
		const npm = await start('start');
		const settings = await session.rest<{ activeModules: string[] }>('GET', '/settings');
		expect(settings.activeModules).not.toContain('instance-ai');

		const second = startNpm(['start', '--', '--port', String(PORT + 10)], clone);
		expect(await second.whenEnded()).toBe(1);
		expect(second.output).toContain(`A demo already runs in ${clone}`);

		expect(listProcesses(clone).join('\n')).toContain('task-runner');
		npm.child.kill('SIGKILL');
		await expectAllEnded(clone);
	});

	it('starts again, lets in only who has the link or the password, and ends on Ctrl-C', async () => {
		const npm = await start('start');
		const [, fragment] = /#(email=\S+)/.exec(npm.output)!;
		const { email, password } = Object.fromEntries(new URLSearchParams(fragment)) as {
			email: string;
			password: string;
		};
		expect(await logIn(URL, { email, password })).toHaveLength(1);
		const published = { email: 'demo@example.com', password: 'Avatar-Studio-1' };
		await expect(logIn(URL, published)).rejects.toThrow('n8n refused the login: 401');
		const setUp = await fetch(`${URL}/rest/owner/setup`, { method: 'POST' });
		expect(setUp.ok).toBe(false);

		npm.pressCtrlC();
		await npm.whenEnded();

		expect(npm.output).toContain('Stopped. The next start goes on from here.');
	});
});

describe('npm run dev', () => {
	it('loads a saved change into n8n, shows type errors, and ends with npm', async () => {
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

		npm.child.kill('SIGTERM');
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
