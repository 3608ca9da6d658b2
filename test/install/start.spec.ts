import { execFileSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { n8nFolder, projectRoot } from '../../n8n/installation';
import { logIn } from '../../n8n/session';

import { killPrograms, SPECIAL_CHARACTERS, startNpm } from './program';

const PORT = 17_000 + (process.pid % 1_000) * 10;
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

afterAll(() => {
	killPrograms();
	rmSync(base, { recursive: true, force: true });
});

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

async function waitFor(condition: () => boolean): Promise<void> {
	while (!condition()) await sleep(100);
}

function isRunningInClone(): boolean {
	return readdirSync('/proc').some((pid) => {
		try {
			return readlinkSync(join('/proc', pid, 'cwd')).startsWith(clone);
		} catch {
			// It has ended, or is no process.
			return false;
		}
	});
}

test('npm start runs once per folder, for its owner only, and ends if npm is killed', async () => {
	const npm = startNpm(['start', '--', '--port', String(PORT)], clone);
	await waitFor(() => npm.output.includes('Ctrl-C stops everything.'));

	const second = startNpm(['start', '--', '--port', String(PORT + 10)], clone);
	expect(await second.ended).toBe(1);
	expect(second.output).toContain(`A demo already runs in ${clone}`);

	const owner = { email: 'demo@example.com', password: 'Avatar-Studio-1' };
	const login = logIn(`http://127.0.0.1:${PORT}`, owner);
	await expect(login).rejects.toThrow('n8n refused the login: 401');

	expect(isRunningInClone()).toBe(true);
	npm.child.kill('SIGKILL');
	await waitFor(() => !isRunningInClone());
});
