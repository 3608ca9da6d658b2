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

import { n8nFolder, projectRoot } from '../../n8n/installation';
import { OWNER_FILE, type Owner } from '../../n8n/owner';
import { logIn, Session } from '../../n8n/session';

import {
	expectAllEnded,
	killPrograms,
	listProcesses,
	SPECIAL_CHARACTERS,
	startNpm,
} from './program';

// Differs between two runs of this suite on the same machine.
const PORT = 17_000 + (process.pid % 1_000) * 10;
const URL = `http://127.0.0.1:${PORT}`;
// Hard links need the same file system.
const isSame = statSync(tmpdir()).dev === statSync(projectRoot).dev;
const base = mkdtempSync(join(isSame ? tmpdir() : projectRoot, 'avatar-studio-clone-'));
const clone = join(base, SPECIAL_CHARACTERS);

beforeAll(() => {
	mkdirSync(clone);
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const files = execFileSync('git', list, { cwd: projectRoot, encoding: 'utf8' }).split('\0');
	const present = files.filter((file) => file && existsSync(join(projectRoot, file)));
	execFileSync('cp', ['--parents', ...present, clone], { cwd: projectRoot });
	linkPackages(projectRoot);
	linkPackages(n8nFolder());
});

afterEach(async () => {
	killPrograms();
	await expectAllEnded(clone);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/**
 * Links installed packages into the clone: n8n's own, which depend on their paths, as if they were
 * installed; the other 200,000 files in place.
 */
function linkPackages(folder: string): void {
	const from = join(folder, 'node_modules');
	const to = from.replace(projectRoot, clone);
	mkdirSync(to);
	for (const name of readdirSync(from).filter((entry) => entry !== '.cache')) {
		if (/^@?n8n/.test(name)) execFileSync('cp', ['-al', join(from, name), to]);
		else symlinkSync(join(from, name), join(to, name));
	}
}

async function start(script: 'start' | 'dev') {
	const npm = startNpm(['run', script, '--', '--port', String(PORT)], clone);
	await npm.whenPrinted('Ctrl-C stops everything.');
	return npm;
}

describe('npm start, in a folder with a space, an umlaut and what else breaks careless scripts', () => {
	it('runs once per folder, for its owner only, and ends if npm is killed', async () => {
		const npm = await start('start');
		const second = startNpm(['start', '--', '--port', String(PORT + 10)], clone);
		expect(await second.ended).toBe(1);
		expect(second.output).toContain(`A demo already runs in ${clone}`);

		const published = { email: 'demo@example.com', password: 'Avatar-Studio-1' };
		await expect(logIn(URL, published)).rejects.toThrow('n8n refused the login: 401');

		expect(listProcesses(clone).join('\n')).toContain('task-runner');
		npm.child.kill('SIGKILL');
		await expectAllEnded(clone);
	});

	it('starts again, and npm run dev loads a saved change', async () => {
		const npm = await start('dev');
		await npm.whenPrinted('Found 0 errors');
		const file = join(clone, 'nodes/AvatarStudio/AvatarStudio.node.ts');
		const source = readFileSync(file, 'utf8');
		writeFileSync(file, source.replace(/description: '[^']+'/, "description: 'Just saved'"));
		await expectDescription('Just saved');
	});
});

/** Waits until n8n shows this description of our node, which it does not know while it reloads it. */
async function expectDescription(description: string): Promise<void> {
	const owner = JSON.parse(readFileSync(join(clone, '.demo', OWNER_FILE), 'utf8')) as Owner;
	const session = new Session(URL, async () => await logIn(URL, owner));
	const nodeInfos = [{ name: 'n8n-nodes-avatar-studio.avatarStudio', version: 1 }];
	for (;;) {
		const nodes = session.rest<{ description: string }[]>('POST', '/node-types', { nodeInfos });
		const [shown] = await nodes.catch(() => []);
		if (shown?.description === description) return;
		await sleep(200);
	}
}
