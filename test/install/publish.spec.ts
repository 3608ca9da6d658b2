import { makeClone, type Clone } from './clone';
import { runProgram } from './program';

let clone: Clone;

beforeAll(() => {
	clone = makeClone('node_modules');
});

afterAll(() => clone.remove());

describe('npm publish', () => {
	it('packs the built node in a fresh clone', async () => {
		const publish: [string, ...string[]] = ['npm', 'publish', '--dry-run', '--tag', 'next'];

		const { code, output } = await runProgram(publish, { cwd: clone.folder });

		expect(output).toContain('dist/nodes/AvatarStudio/AvatarStudio.node.js');
		expect(output).toContain('dist/nodes/AvatarStudio/AvatarStudioTrigger.node.js');
		expect(output).toContain('dist/credentials/AvatarStudioApi.credentials.js');
		expect(code).toBe(0);
	});
});
