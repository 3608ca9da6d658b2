import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { runNode } from '../../scripts/childProcess';
import { n8nFolder, projectRoot } from '../../scripts/n8nFolder';

import { SPECIAL_CHARACTERS } from './program';

/**
 * A driver of a few lines instead of SQLite's 250,000, which take minutes. Building it requires the
 * same: Node's headers, node-addon-api, and a package of n8n's that the build runs.
 */
const FILES = {
	'sqlite3/package.json': '{}',
	'sqlite3/index.js': "module.exports = require('./build/Release/node_sqlite3.node');",
	'sqlite3/binding.gyp': `{
		'targets': [{
			'target_name': 'node_sqlite3',
			'include_dirs': ["<!(node -p \\"require('node-addon-api').include\\")"],
			'sources': ["<!(node -p \\"require('tar').source\\")"],
		}],
	}`,
	'sqlite3/driver.c': `
		#include <addon.h>
		NAPI_MODULE_INIT() { return exports; }`,
	'node-addon-api/package.json': '{}',
	'node-addon-api/index.js': "exports.include = require('path').relative('.', __dirname);",
	'node-addon-api/addon.h': '#include <node_api.h>',
	'tar/index.js': "exports.source = 'driver.c';",
	'prebuild-install/bin.js': "console.error('github.com does not answer'); process.exitCode = 1;",
};
let temporary: string;
let modules: string;

beforeEach(() => {
	temporary = mkdtempSync(join(tmpdir(), 'avatar-studio-modules-'));
	modules = join(temporary, SPECIAL_CHARACTERS, 'node_modules');
	for (const [name, content] of Object.entries(FILES)) {
		const file = join(modules, name);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, content);
	}
	const installed = join(n8nFolder(), 'node_modules');
	for (const name of readdirSync(installed).filter((entry) => /^node-.*-(x|arm)64$/.test(entry))) {
		symlinkSync(join(installed, name), join(modules, name));
	}
});

afterEach(() => rmSync(temporary, { recursive: true, force: true }));

async function addDriver(env: NodeJS.ProcessEnv = {}): ReturnType<typeof runNode> {
	const script = `
		const { addDriver } = require('./scripts/databaseDriver');
		const modules = ${JSON.stringify(modules)};
		void require('./scripts/entry').runEntry((args, signal) => addDriver(modules, signal));`;
	return await runNode(['-e', script], { cwd: projectRoot, env: { ...process.env, ...env } });
}

describe("n8n's database driver", () => {
	it('is built in a folder with a space, a quote, a parenthesis and an ampersand', async () => {
		expect(await addDriver()).toMatchObject({ code: 0 });

		const script = 'console.log(typeof require(process.argv[1]))';
		const { output } = await runNode(['-e', script, join(modules, 'sqlite3')], { cwd: modules });
		expect(output).toBe('object\n');
	});

	it('is downloaded without a compiler; if that fails, it says what to install', async () => {
		const { code, output } = await addDriver({ PATH: '/nowhere' });

		expect(code).toBe(1);
		expect(output).toContain('github.com does not answer');
		expect(output).toContain('sudo apt-get install python3 make g++');
	});
});
