import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runModule } from './commandLine';

const DEAD_PROCESS = 2 ** 22 + 1;
let folder: string;
let file: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'avatar-studio-lock-'));
	file = join(folder, 'demo.lock');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const take = async (after = '') =>
	await runModule(
		'lock.mjs',
		`const lock = demo.takeLock(${JSON.stringify(file)}, { login: 'here' });
		${after}
		console.log('release' in lock ? 'taken' : JSON.stringify(lock.holder));`,
	);

describe('the lock of a folder', () => {
	it('is given to one process after the other', async () => {
		expect(await take()).toBe('taken');
		expect(await take()).toBe('taken');
	});

	it('tells the second one who holds it', async () => {
		writeFileSync(file, JSON.stringify({ pid: process.pid, login: 'there' }));

		expect(JSON.parse(await take())).toEqual({ pid: process.pid, login: 'there' });
	});

	it('is taken over from a process that died', async () => {
		writeFileSync(file, JSON.stringify({ pid: DEAD_PROCESS }));

		expect(await take()).toBe('taken');
	});

	it('is taken over when the number of a dead process went to another program', async () => {
		writeFileSync(file, JSON.stringify({ pid: process.pid }));

		const longAgo = 'fs.utimesSync(file, new Date(0), new Date(0));';
		const out = await runModule(
			'lock.mjs',
			`import fs from 'node:fs';
			const file = ${JSON.stringify(file)};
			${longAgo}
			console.log('release' in demo.takeLock(file));`,
		);
		expect(out).toBe('true');
	});

	it('is taken over when its file was cut short', async () => {
		writeFileSync(file, '{"pi');

		expect(await take()).toBe('taken');
	});
});
