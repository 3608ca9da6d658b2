import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { OWNER_FILE, type Owner } from '../../n8n/owner';
import { logIn, Session } from '../../n8n/session';

import { makeClone, type Clone } from './clone';
import { expectAllEnded, listProcesses } from './processes';
import { killPrograms, startNpm, type Program } from './program';

const SOURCE = 'nodes/AvatarStudio/AvatarStudio.node.ts';
// Differs between two runs of this suite on the same machine.
const PORT = 17_000 + (process.pid % 1_000) * 10;
const URL = `http://127.0.0.1:${PORT}`;
let clone: Clone;
const session = new Session(URL, async () => await logIn(URL, readOwner()));

function readOwner(): Owner {
	return JSON.parse(readFileSync(join(clone.folder, '.demo', OWNER_FILE), 'utf8')) as Owner;
}

beforeAll(() => {
	clone = makeClone('node_modules', 'n8n/versions/2.41.1/node_modules');
});

afterEach(async () => {
	killPrograms();
	await expectAllEnded(clone.folder);
});

afterAll(() => clone.remove());

async function start(script: 'start' | 'dev'): Promise<Program> {
	const args = ['run', script, '--', '--port', String(PORT)];
	const npm = startNpm(args, { cwd: clone.folder });
	await npm.whenPrinted('Ctrl-C stops everything.');
	return npm;
}

describe('npm pack and publish, in a fresh clone', () => {
	it('never makes a package without the node in it', async () => {
		const npm = startNpm(['pack'], { cwd: clone.folder });

		expect(await npm.whenEnded()).not.toBe(0);
	});

	it('packs the built node', async () => {
		const publish = ['publish', '--dry-run', '--tag', 'next'];
		const npm = startNpm(publish, { cwd: clone.folder });

		expect(await npm.whenEnded()).toBe(0);
		expect(npm.output).toContain('dist/nodes/AvatarStudio/AvatarStudio.node.js');
		expect(npm.output).toContain('dist/nodes/AvatarStudio/AvatarStudioTrigger.node.js');
		expect(npm.output).toContain('dist/credentials/AvatarStudioApi.credentials.js');
	});
});

describe('npm start, in a folder with a space, a quote, a parenthesis and an ampersand', () => {
	it('opens on the list of workflows; a second start names the first process and ends', async () => {
		const npm = await start('start');
		const settings = await session.rest<{ activeModules: string[] }>('GET', '/settings');
		expect(settings.activeModules).not.toContain('instance-ai');

		const second = startNpm(['start'], { cwd: clone.folder });
		const [, pid] = await second.whenPrinted(/already runs in .*: process (\d+), http/);
		expect(await second.whenEnded()).toBe(1);

		expect(listProcesses(clone.folder).join('\n')).toContain('task-runner');
		process.kill(Number(pid), 'SIGKILL');
		await npm.whenEnded();
		await expectAllEnded(clone.folder);
	});

	it('lets in only who has the link or the password', async () => {
		const npm = await start('start');
		const [link] = /http:\/\/127[\d.:]+\/[\w-]{32}(?=\s)/.exec(npm.output)!;
		const open = async () => (await fetch(link, { redirect: 'manual' })).headers.getSetCookie();
		expect(await open()).toEqual([expect.stringContaining('n8n-auth=')]);
		expect(await open()).toEqual([]);

		const published = { email: 'demo@example.com', password: 'Avatar-Studio-1' };
		await expect(logIn(URL, published)).rejects.toThrow('n8n refused the login: 401');
		const setUp = await fetch(`${URL}/rest/owner/setup`, { method: 'POST' });
		expect(setUp.ok).toBe(false);

		npm.pressCtrlC();
		await npm.whenEnded();
	});

	it('starts again after it was killed, and shuts down cleanly on Ctrl-C', async () => {
		const npm = await start('start');

		npm.pressCtrlC();
		await npm.whenEnded();

		expect(npm.output).toContain('Stopped. The next start goes on from here.');
	});
});

describe('npm run dev', () => {
	it('loads a saved change into n8n, shows type errors, and ends with npm', async () => {
		const file = join(clone.folder, SOURCE);
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
		await expectAllEnded(clone.folder);
	});
});

/** Waits until n8n shows this description of our node. */
async function expectDescription(description: string): Promise<void> {
	const name = 'n8n-nodes-avatar-studio.avatarStudio';
	for (;;) {
		const nodes = await session.rest<{ description: string }[]>('POST', '/node-types', {
			nodeInfos: [{ name, version: 1 }],
		});
		if (nodes[0]?.description === description) return;
		await sleep(200);
	}
}
