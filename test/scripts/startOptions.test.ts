import { parseOptions } from '../../scripts/startOptions';

import { runNode } from './runNode';

describe('the command line of npm start', () => {
	it('has a default for every option', () => {
		const options = parseOptions([]);

		expect(options).toMatchObject({
			port: 5678,
			fresh: false,
			check: false,
			prebuiltSqlite: false,
			help: false,
		});
		expect(options.folder).toMatch(/[\\/]\.demo$/);
	});

	it('accepts every option', () => {
		const options = parseOptions(['--port=7000', '--folder=elsewhere', '--fresh', '--check']);

		expect(options).toMatchObject({ port: 7000, fresh: true, check: true });
		expect(options.folder).toMatch(/[\\/]elsewhere$/);
	});

	it.each([
		[[], { npm_config_fresh: 'true' }, 'npm start -- --fresh'],
		[['7000'], { npm_config_port: 'true' }, 'npm start -- --port 7000'],
		[[], { npm_config_port: '7000', npm_lifecycle_event: 'dev' }, 'npm run dev -- --port 7000'],
	])('notices that "--" was missing before %j %j', async (args, env, hint) => {
		const { code, err } = await runNode(['scripts/start.js', ...args], env);

		expect(code).toBe(1);
		expect(err).toContain('for an option of its own');
		expect(err).toContain(hint);
	});

	it('shows the help before anything is installed or started', async () => {
		const { code, out } = await runNode(['scripts/start.js', '--help']);

		expect(code).toBe(0);
		expect(out).toContain('--folder DIR');
	});

	it('explains the suite on real servers before anything is installed', async () => {
		const { code, out } = await runNode(['scripts/run.js', '--every-n8n', 'jest', '--help']);

		expect(code).toBe(0);
		expect(out).toContain('N8N_LOAD');
	});

	it('names the known versions of n8n if one is unknown', async () => {
		const env = { N8N_VERSIONS: '2.41.1,9.9.9' };
		const { code, err } = await runNode(['scripts/run.js', '--every-n8n', 'jest'], env);

		expect(code).toBe(1);
		expect(err).toContain('N8N_VERSIONS names 9.9.9, which is not in n8n/versions.');
		expect(err).toContain('2.35.7');
	});

	it.each([
		[['--prot', '7000'], "Unknown option '--prot'", 'npm start -- --help'],
		[['--port', '80'], '--port 80 is not a port that can be used', '1024 to 65530'],
		[['--port', '70000'], '--port 70000 is not a port', '1024 to 65530'],
		[['--port', 'x'], '--port x is not a port', 'whole number'],
	])('refuses %j and says what to do', async (args, message, hint) => {
		const { code, err } = await runNode(['scripts/start.js', ...args]);

		expect(code).toBe(1);
		expect(err).toContain(message);
		expect(err).toContain(hint);
		expect(err).not.toContain('    at ');
	});
});
