import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';

import { findNpm } from '../scripts/n8nFolder';
import { UserError } from '../scripts/userError';

import { createProgramError, runNode } from './childProcess';
import { projectRoot } from './installation';

/** The packed node, as a registry would serve it. */
export interface NodePackage {
	name: string;
	version: string;
	/** Path of the file. */
	tarball: string;
}

/** The fields of a package.json that are used here. */
interface Manifest {
	name?: string;
	private?: boolean;
	dependencies?: Record<string, string>;
}

/** Where packed nodes are kept, each under the hash of its sources. */
const CACHE = join(projectRoot, 'node_modules', '.cache', 'avatar-studio');
const SOURCE_FOLDERS = ['nodes', 'credentials'];
const SOURCE_FILES = [
	'package.json',
	'index.js',
	'README.md',
	'LICENSE',
	'gulpfile.js',
	'tsconfig.json',
	'tsconfig.build.json',
];

/** Builds and packs the node, unless the same sources were packed before. */
export async function packNode(signal?: AbortSignal): Promise<NodePackage> {
	const { name, version } = readManifest();
	const tarball = join(CACHE, `${hashSources()}.tgz`);
	if (!existsSync(tarball)) {
		mkdirSync(CACHE, { recursive: true });
		const folder = mkdtempSync(join(CACHE, 'pack-'));
		try {
			await runTool([join(projectRoot, 'node_modules', 'gulp', 'bin', 'gulp.js'), 'build'], signal);
			await runTool([findNpm(), 'pack', '--ignore-scripts', '--pack-destination', folder], signal);
			renameSync(join(folder, readdirSync(folder)[0]!), tarball);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	}
	return { name, version, tarball };
}

/** Returns the folder that the node is installed in, in a user folder of n8n. */
export function installedNodeFolder(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes', 'node_modules', readManifest().name);
}

/**
 * Installs a packed node the way n8n's own installer does: unpacked below .n8n/nodes and listed in
 * the package.json there.
 */
export function installNode({ name, version, tarball }: NodePackage, userFolder: string): void {
	const target = installedNodeFolder(userFolder);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	const args = ['-xzf', tarball, '-C', target, '--strip-components', '1'];
	const { status, stderr, error } = spawnSync('tar', args, { encoding: 'utf8' });
	if (status !== 0) {
		throw new UserError(
			`The node package could not be unpacked: ${error?.message ?? stderr}`,
			'Check that the program "tar" works, then start again.',
		);
	}
	const file = join(userFolder, '.n8n', 'nodes', 'package.json');
	const manifest = existsSync(file)
		? (JSON.parse(readFileSync(file, 'utf8')) as Manifest)
		: ({ name: 'installed-nodes', private: true } satisfies Manifest);
	manifest.dependencies = { ...manifest.dependencies, [name]: version };
	writeFileSync(file, JSON.stringify(manifest, null, '\t'));
}

function readManifest(): { name: string; version: string } {
	const manifest = readFileSync(join(projectRoot, 'package.json'), 'utf8');
	return JSON.parse(manifest) as { name: string; version: string };
}

async function runTool(args: string[], signal?: AbortSignal): Promise<void> {
	const { code, output } = await runNode(args, { cwd: projectRoot, signal });
	if (code === 0) return;
	const hint = 'Correct what is named above, then start again.';
	throw createProgramError('The node could not be built and packed', output, hint);
}

/** @returns a text that changes with every file that goes into the package */
function hashSources(): string {
	const hash = createHash('sha256');
	const inFolders = SOURCE_FOLDERS.flatMap((folder) =>
		readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => relative(projectRoot, join(entry.parentPath, entry.name))),
	);
	for (const file of [...inFolders.sort(), ...SOURCE_FILES]) {
		const content = readFileSync(join(projectRoot, file));
		hash.update(`${file}\0${content.length}\0`).update(content);
	}
	return hash.digest('hex').slice(0, 32);
}
