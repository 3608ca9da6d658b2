import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { takeLock } from '../../scripts/lock';
import { projectRoot } from '../../scripts/n8nFolder';

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
async function holdElsewhere(): Promise<ChildProcess> {
	const script = `
		require('./scripts/lock').takeLock(${JSON.stringify(folder)}, { login: 'there' })
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
			const lock = await takeLock(folder);

			expect('release' in lock).toBe(true);
			if ('release' in lock) lock.release();
		}
	});

	it('is another one for another folder', async () => {
		await holdElsewhere();

		const lock = await takeLock(tmpdir());

		expect('release' in lock).toBe(true);
		if ('release' in lock) lock.release();
	});

	it('says who holds it', async () => {
		const { pid } = await holdElsewhere();

		expect(await takeLock(folder)).toMatchObject({ holder: { pid, login: 'there' } });
	});

	it('is free again as soon as its holder is killed, and says so to those who wait', async () => {
		const holder = await holdElsewhere();
		const lock = await takeLock(folder);
		if ('release' in lock) throw new Error('Two processes have the lock.');

		holder.kill('SIGKILL');
		await lock.released;

		const mine = await takeLock(folder);
		expect('release' in mine).toBe(true);
		if ('release' in mine) mine.release();
	});

	it('is given to one of many that ask at the same time', async () => {
		const locks = await Promise.all(Array.from({ length: 20 }, async () => await takeLock(folder)));

		const taken = locks.filter((lock) => 'release' in lock);
		expect(taken).toHaveLength(1);
		for (const lock of taken) lock.release();
	});
});
