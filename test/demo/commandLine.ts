import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The demo's own folder. */
export const demoFolder = resolve(__dirname, '..', '..', 'demo');

/** Runs Node to its end. */
export async function runNode(
	args: string[],
): Promise<{ code: number | null; out: string; err: string }> {
	const child = spawn(process.execPath, args, {
		cwd: resolve(demoFolder, '..'),
		env: { ...process.env, npm_config_offline: 'true' },
	});
	let out = '';
	let err = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
	const [code] = (await once(child, 'close')) as [number | null];
	return { code, out, err };
}

/** Runs a few lines of an ES module, with the names of one of the demo's modules at hand. */
export async function runModule(module: string, lines: string): Promise<string> {
	const url = JSON.stringify(pathToFileURL(resolve(demoFolder, module)).href);
	const script = `import * as demo from ${url};\n${lines}`;
	const { code, out, err } = await runNode(['--input-type=module', '-e', script]);
	if (code !== 0) throw new Error(err);
	return out.trim();
}
