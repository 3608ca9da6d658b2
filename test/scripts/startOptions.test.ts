import { parseOptions } from '../../scripts/startOptions';

import { runNode } from './runNode';

describe('the command line of npm start', () => {
	it('has defaults for everything', () => {
		const options = parseOptions([]);

		expect(options).toMatchObject({
			port: 5678,
			servicePort: 5680,
			fresh: false,
			check: false,
			prebuiltSqlite: false,
			help: false,
		});
		expect(options.folder).toMatch(/[\\/]\.demo$/);
	});

	it('derives the other ports from --port', () => {
		expect(parseOptions(['--port', '7000'])).toMatchObject({ port: 7000, servicePort: 7002 });
	});

	it('takes every option', () => {
		const options = parseOptions(['--port=7000', '--service-port=8000', '--fresh', '--check']);

		expect(options).toMatchObject({ port: 7000, servicePort: 8000, fresh: true, check: true });
	});

	it('shows the help before anything is installed or started', async () => {
		const { code, out } = await runNode(['scripts/start.js', '--help']);

		expect(code).toBe(0);
		expect(out).toContain('--service-port N');
	});

	it.each([
		[['--prot', '7000'], "Unknown option '--prot'", 'npm start -- --help'],
		[['--port', '80'], '--port 80 is not a port that can be used', '1024 to 65531'],
		[['--port', '70000'], '--port 70000 is not a port', '1024 to 65531'],
		[['--port', 'x'], '--port x is not a port', 'whole number'],
		[['--service-port', '5678'], 'overlaps with the ports of n8n', '--service-port 5688'],
		[['--service-port', '5681'], 'overlaps with the ports of n8n', '--service-port 5688'],
	])('refuses %j and says what to do', async (args, message, hint) => {
		const { code, err } = await runNode(['scripts/start.js', ...args]);

		expect(code).toBe(1);
		expect(err).toContain(message);
		expect(err).toContain(hint);
		expect(err).not.toContain('    at ');
	});
});
