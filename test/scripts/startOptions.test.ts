import { runNode } from '../../scripts/childProcess';
import { projectRoot } from '../../scripts/n8nFolder';
import { parseOptions } from '../../scripts/startOptions';
import type { UserError } from '../../scripts/userError';

async function run(args: string[], env = {}): ReturnType<typeof runNode> {
	return await runNode(args, { cwd: projectRoot, env: { ...process.env, ...env } });
}

/** The error that a command line of `npm start` causes. */
function getRefusal(args: string[], env: NodeJS.ProcessEnv = {}): UserError {
	try {
		parseOptions(args, env);
	} catch (error) {
		return error as UserError;
	}
	throw new Error('The command line was accepted.');
}

describe('the command line of npm start', () => {
	it('accepts every option', () => {
		const options = parseOptions(['--port=7000', '--folder=elsewhere', '--fresh', '--check']);

		expect(options).toMatchObject({ port: 7000, fresh: true, check: true });
		expect(options.folder).toMatch(/[\\/]elsewhere$/);
	});

	it.each([
		[[], { npm_config_fresh: 'true' }, 'npm start -- --fresh'],
		[[], { npm_config_check: 'true' }, 'npm start -- --check'],
		[['7000'], { npm_config_port: 'true' }, 'npm start -- --port'],
		[[], { npm_config_port: '7000', npm_lifecycle_event: 'dev' }, 'npm run dev -- --port'],
	])('notices that "--" was missing before %j %j', (args, env, hint) => {
		const { message, hint: shown } = getRefusal(args, env);

		expect(message).toContain('for an option of its own');
		expect(shown).toContain(hint);
	});

	it.each([
		[['--prot', '7000'], "Unknown option '--prot'"],
		[['--port', '80'], '--port 80 is not a whole number from 1024 to 65531'],
		[['--port', '70000'], '--port 70000 is not a whole number from 1024 to 65531'],
		[['--port', 'x'], '--port x is not a whole number'],
	])('refuses %j and says what to do', (args, message) => {
		const refusal = getRefusal(args);

		expect(refusal.message).toContain(message);
		expect(refusal.hint).toContain('npm start -- --help');
	});

	it('is refused without a stack trace', async () => {
		const { code, output } = await run(['scripts/start.js', '7000'], { npm_config_port: 'true' });

		expect(code).toBe(1);
		expect(output).toContain('npm start -- --port');
		expect(output).not.toContain('    at ');
	});
});

describe('before anything is installed or started', () => {
	it('npm start shows its help', async () => {
		const { code, output } = await run(['scripts/start.js', '--help']);

		expect(code).toBe(0);
		expect(output).toContain('--folder DIR');
	});

	it('an unknown version of n8n is refused, and the known ones are named', async () => {
		const env = { N8N_VERSIONS: '2.41.1,9.9.9' };
		const { code, output } = await run(['scripts/install.js', '--every-n8n'], env);

		expect(code).toBe(1);
		expect(output).toContain('N8N_VERSIONS names 9.9.9, which is not in n8n/versions.');
		expect(output).toContain('2.35.7');
	});
});
