import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { buildSqlite } from '../../scripts/install';
import { findNode } from '../../scripts/n8nFolder';

import { makeClone, type Clone } from './clone';

const MODULES = 'n8n/versions/2.41.1/node_modules';
let clone: Clone;

beforeEach(() => {
	clone = makeClone(MODULES);
});

afterEach(() => clone.remove());

describe("n8n's database driver", () => {
	it('is built in a folder with a space, a quote, a bracket and an ampersand', async () => {
		const modules = join(clone.folder, MODULES);
		const driver = join(modules, 'sqlite3');
		rmSync(join(driver, 'build'), { recursive: true });
		const node = findNode(modules);

		await buildSqlite(modules, node, new AbortController().signal);

		const script = "new (require(process.argv[1]).Database)(':memory:', () => console.log('open'))";
		expect(execFileSync(node, ['-e', script, driver], { encoding: 'utf8' })).toBe('open\n');
	});
});
