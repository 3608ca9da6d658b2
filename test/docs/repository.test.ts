import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readRepository } from './repository';
import { isUpdate } from './update';

const ROOT = join(__dirname, '..', '..');
const TEXT = /\.(md|json|ya?ml|ts|js|mjs|svg)$/;

const { name, address } = readRepository();

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
	.split('\n')
	.filter((file) => TEXT.test(file) && existsSync(join(ROOT, file)))
	.filter((file) => readFileSync(join(ROOT, file), 'utf8').search(address) >= 0);

test('The address of the repository is in the files people read', () => {
	const read = ['README.md', 'SECURITY.md', 'package.json', 'docs/releasing.md'];
	expect(files).toEqual(expect.arrayContaining(read));
});

test.each(files)(
	'%s names the repository that package.json sets (npm run docs updates it)',
	(file) => {
		const path = join(ROOT, file);
		const content = readFileSync(path, 'utf8');
		if (isUpdate) writeFileSync(path, content.replace(address, name));
		expect(new Set(readFileSync(path, 'utf8').match(address))).toEqual(new Set([name]));
	},
);
