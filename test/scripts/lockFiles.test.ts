import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from '../../scripts/n8nFolder';

const files = execFileSync('git', ['ls-files', '*package-lock.json'], {
	cwd: projectRoot,
	encoding: 'utf8',
});

describe('the lock files', () => {
	it.each(files.trim().split('\n'))('%s names no registry, so each user has their own', (file) => {
		const { packages } = JSON.parse(readFileSync(join(projectRoot, file), 'utf8')) as {
			packages: Record<string, { resolved?: string }>;
		};

		const resolved = Object.values(packages).flatMap((entry) => entry.resolved ?? []);

		expect(resolved).toEqual([]);
	});
});
