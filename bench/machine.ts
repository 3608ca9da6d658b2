import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

import { n8nCommand, projectRoot, requireFromN8n } from '../n8n/installation';

/** Describes this machine and the sources as they are now, in a sentence. */
export function describeMachine(): string {
	const output = (command: string, ...args: string[]) =>
		execFileSync(command, args, { cwd: projectRoot, encoding: 'utf8' }).trim();
	const changes = output('git', 'status', '--porcelain', '--', 'nodes', 'credentials');
	const commit = output('git', 'rev-parse', '--short', 'HEAD') + (changes && ' with changes');
	const date = new Date().toISOString().slice(0, 16).replace('T', ' ');
	const memoryGb = Math.round(totalmem() / 1e9);
	const { version } = requireFromN8n<{ version: string }>('n8n/package.json');
	const node = output(n8nCommand()[0], '--version');
	return `Measured ${date} UTC at commit ${commit}: ${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${memoryGb} GB, ${type()} ${release()}, load average ${loadavg()[0]!.toFixed(1)} before the run; n8n ${version} on Node.js ${node}.`;
}
