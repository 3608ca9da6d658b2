import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

import { n8nCommand, projectRoot, requireFromN8n } from '../../n8n/installation';

/** The machine and versions of a run. */
export interface Machine {
	date: string;
	/** Of the package's sources. */
	commit: string;
	processor: string;
	cores: number;
	memoryGb: number;
	system: string;
	node: string;
	n8n: string;
	/** Load average of the minute before the run. */
	load: number;
}

/** Describes this machine and the sources as they are now. */
export function describeMachine(): Machine {
	const output = (command: string, ...args: string[]) =>
		execFileSync(command, args, { cwd: projectRoot, encoding: 'utf8' }).trim();
	const changes = output('git', 'status', '--porcelain', '--', 'nodes', 'credentials');
	return {
		date: new Date().toISOString().slice(0, 16).replace('T', ' '),
		commit: output('git', 'rev-parse', '--short', 'HEAD') + (changes && ' with changes'),
		processor: cpus()[0]?.model.trim() ?? 'unknown',
		cores: cpus().length,
		memoryGb: Math.round(totalmem() / 1e9),
		system: `${type()} ${release()}`,
		node: output(n8nCommand()[0], '--version'),
		n8n: requireFromN8n<{ version: string }>('n8n/package.json').version,
		load: Number(loadavg()[0]!.toFixed(2)),
	};
}
