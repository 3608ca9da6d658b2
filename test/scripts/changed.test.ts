import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

test.each([
	['nodes/AvatarStudio/client/retry.ts', ['test/client/retry.test.ts']],
	['nodes/AvatarStudio/client/delay.ts', ['test/client/']],
	['nodes/AvatarStudio/AvatarStudio.node.ts', []],
])('npm run test:changed after a change of %s also tests the description', (changed, own) => {
	const folder = mkdtempSync(join(tmpdir(), 'changed-'));
	const write = (file: string, text = '') => {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), text);
	};
	write('node_modules/jest/index.js', 'exports.run = () => {};');
	write('test/client/retry.test.ts');
	cpSync(join(__dirname, '../changed.js'), join(folder, 'test/changed.js'));
	const options = { cwd: folder, encoding: 'utf8' } as const;
	execFileSync('git', ['init', '--quiet'], options);
	execFileSync('git', ['add', '.'], options);
	const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
	execFileSync('git', [...author, 'commit', '--quiet', '--message=first'], options);
	write(changed);
	const output = execFileSync(process.execPath, ['test/changed.js'], options);
	const node = ['description/', 'docs/reference.test.ts', 'resources/contract.test.ts'];
	const expected = [...own, ...node.map((path) => `test/${path}`)];
	expect(output.trim().split('\n')).toEqual(expected);
});
