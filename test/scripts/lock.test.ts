import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { takeLock } from '../../scripts/lock';
import { projectRoot } from '../../scripts/n8nFolder';

import { runNode } from './runNode';

let folder: string;
const holders: ChildProcess[] = [];

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'avatar-studio-lock-'));
});

afterEach(() => {
	for (const holder of holders.splice(0)) holder.kill('SIGKILL');
	rmSync(folder, { recursive: true, force: true });
});

/** Starts another process that takes the lock and keeps it. */
async function lockInOtherProcess(): Promise<ChildProcess> {
	const script = `
		require('./scripts/lock').takeLock(${JSON.stringify(folder)}, 'the other one')
			.then((lock) => console.log('release' in lock ? 'taken' : 'refused'));
		setInterval(() => {}, 1000);`;
	const holder = spawn(process.execPath, ['-e', script], { cwd: projectRoot });
	holders.push(holder);
	const [said] = (await once(holder.stdout, 'data')) as [Buffer];
	expect(said.toString().trim()).toBe('taken');
	return holder;
}

describe('the lock of a folder', () => {
	it('is free again once it is released', async () => {
		for (let round = 0; round < 2; round++) {
			const lock = await takeLock(folder, 'this one');

			expect('release' in lock).toBe(true);
			if ('release' in lock) lock.release();
		}
	});

	it('does not lock other folders', async () => {
		await lockInOtherProcess();

		const lock = await takeLock(tmpdir(), 'this one');

		expect('release' in lock).toBe(true);
		if ('release' in lock) lock.release();
	});

	it('reports its holder, and does not keep the asking process alive', async () => {
		await lockInOtherProcess();
		const script = `
			require('./scripts/lock').takeLock(${JSON.stringify(folder)}, 'this one')
				.then((lock) => console.log(lock.heldBy));`;

		const { code, out } = await runNode(['-e', script]);

		expect(code).toBe(0);
		expect(out).toBe('the other one\n');
	});

	it('reports that its holder is suspended', async () => {
		const holder = await lockInOtherProcess();
		holder.kill('SIGSTOP');

		expect(await takeLock(folder, 'this one')).toEqual({
			heldBy: 'a process that does not respond',
		});
	});

	it('is free again as soon as its holder is killed', async () => {
		const holder = await lockInOtherProcess();
		holder.kill('SIGKILL');
		await once(holder, 'exit');

		const lock = await takeLock(folder, 'this one');

		expect('release' in lock).toBe(true);
		if ('release' in lock) lock.release();
	});

	it('is given to only one of many simultaneous requests', async () => {
		const locks = await Promise.all(
			Array.from({ length: 20 }, async () => await takeLock(folder, 'this one')),
		);

		const taken = locks.filter((lock) => 'release' in lock);
		expect(taken).toHaveLength(1);
		for (const lock of taken) lock.release();
	});
});
