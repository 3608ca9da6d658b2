import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../../scripts/n8nFolder';

import { runProgram } from './program';
import { startRegistry, type Registry } from './registry';

let temporary: string;
let folder: string;
let registry: Registry;

/** A project with our scripts and one tool, not installed. */
beforeEach(async () => {
	registry = await startRegistry([
		{
			name: 'tool',
			versions: ['1.0.0'],
			manifest: { bin: 'tool.js' },
			files: {
				'tool.js': "console.log('tool', process.argv.slice(2).join(' ')); process.exitCode = 3;",
			},
		},
	]);
	temporary = mkdtempSync(join(tmpdir(), 'avatar-studio-run-'));
	folder = join(temporary, "it's a (test) & more");
	mkdirSync(folder);
	cpSync(join(projectRoot, 'scripts'), join(folder, 'scripts'), { recursive: true });
	const project = { name: 'project', version: '1.0.0', devDependencies: { tool: '1.0.0' } };
	const packages = { '': project, 'node_modules/tool': { version: '1.0.0', dev: true } };
	const lock = { name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
	writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
});

afterEach(async () => {
	await registry.close();
	rmSync(temporary, { recursive: true, force: true });
});

async function run(...args: string[]) {
	return await runProgram([process.execPath, 'scripts/run.js', ...args], {
		cwd: folder,
		env: { npm_config_registry: registry.url, npm_config_cache: join(temporary, 'cache') },
	});
}

describe('the commands in a fresh clone', () => {
	it('install what is missing, then run the tool with its arguments and exit code', async () => {
		const { code, output } = await run('tool', 'check', '--all');

		expect(output).toContain('Installing the project: done');
		expect(output).toContain('tool check --all');
		expect(code).toBe(3);
	});

	it('are all started that way', () => {
		const manifest = readFileSync(join(projectRoot, 'package.json'), 'utf8');
		const { scripts } = JSON.parse(manifest) as { scripts: Record<string, string> };

		for (const command of Object.values(scripts)) {
			expect(command).toMatch(/^node (scripts\/(run|start)\.js|bench\/start\.js)( |$)/);
		}
	});

	it('say how to get a browser before anything is installed', async () => {
		const { code, output } = await runProgram(
			[process.execPath, 'scripts/run.js', '--browser', 'tool'],
			{ cwd: folder, env: { PATH: '/nowhere', CHROMIUM: '' } },
		);

		expect(code).toBe(1);
		expect(output).toContain('The editor tests need Chromium or Chrome');
		for (const system of ['Debian', 'macOS', 'Windows']) expect(output).toContain(system);
		expect(output).not.toContain('    at ');
		expect(existsSync(join(folder, 'node_modules'))).toBe(false);
	});
});
