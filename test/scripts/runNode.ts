import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { projectRoot } from '../../scripts/n8nFolder';

/** Runs Node in the project folder and waits for it to exit. */
export async function runNode(
	args: string[],
	env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; out: string; err: string }> {
	const child = spawn(process.execPath, args, {
		cwd: projectRoot,
		env: { ...process.env, ...env },
	});
	let out = '';
	let err = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
	const [code] = (await once(child, 'close')) as [number | null];
	return { code, out, err };
}
