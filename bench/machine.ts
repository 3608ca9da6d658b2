import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';

import { n8nCommand, n8nFolder, projectRoot } from '../n8n/installation';

import type { Machine } from './results';

/** Where the bench runs. */
export function machine(): Omit<Machine, 'expressionEngine' | 'busy' | 'seconds'> {
	const [node] = n8nCommand();
	const n8n = join(n8nFolder(), 'node_modules', 'n8n', 'package.json');
	return {
		date: new Date().toISOString().slice(0, 16).replace('T', ' '),
		commit: commit(),
		processor: cpus()[0]?.model.trim() ?? 'unknown',
		cores: cpus().length,
		memoryGb: Math.round(totalmem() / 1e9),
		system: `${type()} ${release()}`,
		node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
		n8n: (JSON.parse(readFileSync(n8n, 'utf8')) as { version: string }).version,
		load: loadavg()[0]!,
	};
}

function commit(): string {
	const git = (...args: string[]) =>
		execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).trim();
	try {
		const changed = git('status', '--porcelain', '--', 'nodes', 'credentials') !== '';
		return git('rev-parse', '--short', 'HEAD') + (changed ? ' with changes' : '');
	} catch {
		return 'unknown';
	}
}
