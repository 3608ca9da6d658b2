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

	it('shows the help before anything is installed or started', async () => {
		const { code, out } = await runNode(['scripts/start.js', '--help']);

		expect(code).toBe(0);
		expect(out).toContain('--folder DIR');
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
