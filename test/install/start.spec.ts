import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Session } from '../../n8n/session';

import { listProcesses, makeClone, whenAllEnded, type Clone } from './clone';
import { startProgram, type Program } from './program';

const SOURCE = 'nodes/AvatarStudio/AvatarStudio.node.ts';
let clone: Clone;

beforeAll(() => {
	clone = makeClone('node_modules', 'n8n/versions/2.41.1/node_modules');
});

afterAll(() => clone.remove());

afterEach(async () => await whenAllEnded(clone.folder));

async function start(script: 'start' | 'dev', port: number): Promise<Program> {
	const npm = startProgram(['npm', 'run', script, '--', '--port', String(port)], {
		cwd: clone.folder,
	});
	await npm.whenPrinted('Ctrl-C stops everything.');
	return npm;
}

describe('npm start, in a folder with a space, a quote, a bracket and an ampersand', () => {
	it('runs, and the start page is the list of workflows', async () => {
		const npm = await start('start', 17_100);
		const session = new Session('http://127.0.0.1:17100');
		const settings = await session.rest<{ activeModules: string[] }>('GET', '/settings');
		npm.child.kill('SIGTERM');

		expect(settings.activeModules).not.toContain('instance-ai');
		await npm.whenEnded();
	});

	it.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
		'ends n8n and its task runner when npm gets %s, and starts again',
		async (signal) => {
			const npm = await start('start', 17_110);
			expect(listProcesses(clone.folder).join('\n')).toContain('task-runner');

			npm.child.kill(signal);

			await whenAllEnded(clone.folder);
		},
	);

	it('ends n8n when its own process is killed, and a second start says who has the folder', async () => {
		const npm = await start('start', 17_120);
		const second = startProgram(['npm', 'start'], { cwd: clone.folder });
		const [, pid] = await second.whenPrinted(/already runs in .*: process (\d+)/);
		expect(await second.whenEnded()).toBe(1);

		process.kill(Number(pid), 'SIGKILL');

		await npm.whenEnded();
	});
});

describe('npm run dev', () => {
	it('puts a saved change into the running n8n, and shows type errors', async () => {
		const file = join(clone.folder, SOURCE);
		const source = readFileSync(file, 'utf8');
		const npm = await start('dev', 17_130);
		await npm.whenPrinted('Found 0 errors');
		const session = new Session('http://127.0.0.1:17130');

		writeFileSync(file, source.replace(/description: '[^']+'/, "description: 'Just saved'"));
		await expectDescription(session, 'Just saved');

		writeFileSync(file, `${source}\nexport const wrong: number = 'text';\n`);
		await npm.whenPrinted(/AvatarStudio\.node\.ts.*error TS2322/);
		npm.child.kill('SIGTERM');
		await npm.whenEnded();
	});
});

/** Waits until n8n describes our node in these words. */
async function expectDescription(session: Session, description: string): Promise<void> {
	const name = 'n8n-nodes-avatar-studio.avatarStudio';
	for (;;) {
		const nodes = await session.rest<{ description: string }[]>('POST', '/node-types', {
			nodeInfos: [{ name, version: 1 }],
		});
		if (nodes[0]?.description === description) return;
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}
