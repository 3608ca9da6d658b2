import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { buildDriver } from '../../scripts/databaseDriver';
import { findNode, n8nFolder } from '../../scripts/n8nFolder';

import { SPECIAL_CHARACTERS } from './clone';

/**
 * A driver of a few lines instead of SQLite's 250,000, which take minutes. Building it requires the
 * same: Node's headers, node-addon-api, and a package of n8n's that the build runs.
 */
const FILES = {
	'sqlite3/package.json': '{}',
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
};
let temporary: string;
let modules: string;

beforeEach(() => {
	temporary = mkdtempSync(join(tmpdir(), 'avatar-studio-driver-'));
	modules = join(temporary, SPECIAL_CHARACTERS, 'node_modules');
	for (const [name, content] of Object.entries(FILES)) {
		const file = join(modules, name);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, content);
	}
});

afterEach(() => rmSync(temporary, { recursive: true, force: true }));

describe("n8n's database driver", () => {
	it('is built in a folder with a space, a quote, a parenthesis and an ampersand', async () => {
		const node = findNode(join(n8nFolder(), 'node_modules'));

		await buildDriver(modules, node, new AbortController().signal);

		const binary = join(modules, 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
		const script = 'console.log(typeof require(process.argv[1]))';
		expect(execFileSync(node, ['-e', script, binary], { encoding: 'utf8' })).toBe('object\n');
	});
});
