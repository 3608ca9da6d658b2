import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { takeLock } from '../../scripts/lock';
import { projectRoot } from '../../scripts/n8nFolder';

const folder = mkdtempSync(join(tmpdir(), 'avatar-studio-lock-'));
let holder: ChildProcess | undefined;

afterEach(() => holder?.kill('SIGKILL'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function lockInOtherProcess(): Promise<ChildProcess> {
	const script = `
		require('./scripts/lock').takeLock(${JSON.stringify(folder)})
			.then((lock) => console.log(lock ? 'taken' : 'refused'));
		setInterval(() => {}, 1000);`;
	const child = spawn(process.execPath, ['-e', script], { cwd: projectRoot });
	holder = child;
	expect(String(await once(child.stdout, 'data'))).toBe('taken\n');
	return child;
}

describe('the lock of a folder', () => {
	it('is given to only one of many simultaneous requests, and again once it is released', async () => {
		for (let round = 0; round < 2; round++) {
			const requests = Array.from({ length: 20 }, async () => await takeLock(folder));
			const taken = (await Promise.all(requests)).filter((lock) => lock !== undefined);

			expect(taken).toHaveLength(1);
			taken[0]!.release();
		}
	});

	it('is refused as long as its holder runs, and free as soon as that is killed', async () => {
		const other = await lockInOtherProcess();
		expect(await takeLock(folder)).toBeUndefined();

		other.kill('SIGKILL');
		await once(other, 'exit');

		const lock = await takeLock(folder);
		expect(lock).toBeDefined();
		lock?.release();
	});
});
