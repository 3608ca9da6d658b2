import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join, relative } from 'node:path';

import { findNpm } from '../scripts/findNpm';
import { UserError } from '../scripts/userError';

import { runProgram } from './childProcess';
import { projectRoot } from './installation';

/** The packed node, as a registry would serve it. */
export interface NodePackage {
	name: string;
	version: string;
	tarball: string;
	/** Changes with every source the package is made of. */
	sources: string;
}

const cache = join(projectRoot, 'node_modules', '.cache', 'demo');
const DAY_MS = 86_400_000;
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

/** Builds and packs the node; where no source has changed since, the packed one is used again. */
export async function packNode(signal?: AbortSignal): Promise<NodePackage> {
	const { name, version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
	};
	const sources = hashOfSources();
	const tarball = join(cache, `${sources}.tgz`);
	if (!existsSync(tarball)) {
		mkdirSync(cache, { recursive: true });
		const gulp = join(projectRoot, 'node_modules', 'gulp', 'bin', 'gulp.js');
		await step('build', [process.execPath, gulp, 'build'], signal);
		const folder = await mkdtemp(join(cache, 'pack-'));
		try {
			const pack = [
				process.execPath,
				findNpm(),
				'pack',
				'--ignore-scripts',
				'--pack-destination',
				folder,
			];
			await step('pack', pack, signal);
			const [packed] = readdirSync(folder);
			renameSync(join(folder, packed!), tarball);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
		forgetOldTarballs();
	}
	return { name, version, tarball, sources };
}

/**
 * Installs a packed node the way n8n's own installer does: unpacked under .n8n/nodes and listed
 * in the package.json there. Nothing happens when these very sources are installed already.
 */
export async function installNode(
	{ name, version, tarball, sources }: NodePackage,
	userFolder: string,
	signal?: AbortSignal,
): Promise<void> {
	const nodes = join(userFolder, '.n8n', 'nodes');
	const target = join(nodes, 'node_modules', name);
	const marker = join(nodes, `${name}.sources`);
	if (existsSync(marker) && readFileSync(marker, 'utf8') === sources) return;
	rmSync(marker, { force: true });
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	const unpack = ['tar', '-xzf', tarball, '-C', target, '--strip-components', '1'];
	await step('unpack', unpack, signal);
	const manifest = join(nodes, 'package.json');
	const before = existsSync(manifest)
		? (JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: Record<string, string> })
		: {};
	const installed = {
		name: 'installed-nodes',
		private: true,
		...before,
		dependencies: { ...before.dependencies, [name]: version },
	};
	writeFileSync(manifest, JSON.stringify(installed, null, '\t'));
	writeFileSync(marker, sources);
}

/** Another start may be about to unpack the last ones, so only those of past days go. */
function forgetOldTarballs(): void {
	for (const file of readdirSync(cache).map((name) => join(cache, name))) {
		if (Date.now() - statSync(file).mtimeMs > DAY_MS)
			rmSync(file, { recursive: true, force: true });
	}
}

async function step(what: string, command: string[], signal?: AbortSignal): Promise<void> {
	const { code, output } = await runProgram(command, {
		cwd: projectRoot,
		env: process.env,
		signal,
	});
	if (code === 0) return;
	throw new UserError(
		`The node package could not be made (${what}):\n\n${output.trim()}`,
		'Correct what is named above, then start again.',
	);
}

function hashOfSources(): string {
	const hash = createHash('sha256');
	const inFolders = SOURCE_FOLDERS.flatMap((folder) =>
		readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => relative(projectRoot, join(entry.parentPath, entry.name))),
	);
	for (const file of [...inFolders.sort(), ...SOURCE_FILES]) {
		if (!existsSync(join(projectRoot, file))) continue;
		const content = readFileSync(join(projectRoot, file));
		hash.update(`${file}\0${content.length}\0`).update(content);
	}
	return hash.digest('hex').slice(0, 32);
}
