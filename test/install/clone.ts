import { execFileSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../../scripts/n8nFolder';

/** A folder name with the characters that break careless scripts. */
export const SPECIAL_CHARACTERS = "it's a (test) & more";

/** A copy of the sources in its own folder. */
export interface Clone {
	readonly folder: string;
	remove(): void;
}

/**
 * Copies the sources as they are in a fresh clone.
 *
 * @param installed folders of installed packages to add
 */
export function makeClone(...installed: string[]): Clone {
	// Hard links need the same file system.
	const isSame = statSync(tmpdir()).dev === statSync(projectRoot).dev;
	const base = isSame ? tmpdir() : join(projectRoot, '.demo');
	mkdirSync(base, { recursive: true });
	const parent = mkdtempSync(join(base, 'avatar-studio-clone-'));
	const folder = join(parent, SPECIAL_CHARACTERS);
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const files = execFileSync('git', list, { cwd: projectRoot, encoding: 'utf8' });
	for (const file of files.split('\0')) {
		const from = join(projectRoot, file);
		if (file && existsSync(from)) cpSync(from, join(folder, file));
	}
	for (const name of installed) linkPackages(join(projectRoot, name), join(folder, name));
	return { folder, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/**
 * Links installed packages: n8n's own, which depend on their paths, as if they were installed; the
 * other 200,000 files in place.
 */
function linkPackages(from: string, to: string): void {
	mkdirSync(to);
	for (const name of readdirSync(from).filter((entry) => entry !== '.cache')) {
		if (/^@?n8n/.test(name)) execFileSync('cp', ['-al', join(from, name), to]);
		else symlinkSync(join(from, name), join(to, name));
	}
}
