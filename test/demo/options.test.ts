import { runModule, runNode } from './commandLine';

async function parse(...args: string[]): Promise<Record<string, unknown>> {
	const out = await runModule(
		'options.mjs',
		`console.log(JSON.stringify(demo.parseOptions(${JSON.stringify(args)})));`,
	);
	return JSON.parse(out) as Record<string, unknown>;
}

describe('the command line of npm start', () => {
	it('has defaults for everything', async () => {
		const options = await parse();

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

	it('derives the further ports from --port', async () => {
		expect(await parse('--port', '7000')).toMatchObject({ port: 7000, servicePort: 7002 });
	});

	it('takes every option', async () => {
		const options = await parse('--port=7000', '--service-port=8000', '--fresh', '--check');

		expect(options).toMatchObject({ port: 7000, servicePort: 8000, fresh: true, check: true });
	});

	it('shows the help before anything is installed or started', async () => {
		const { code, out } = await runNode(['demo/start.mjs', '--help']);

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
	])('refuses %j and tells the way on', async (args, what, wayOn) => {
		const { code, err } = await runNode(['demo/start.mjs', ...args]);

		expect(code).toBe(1);
		expect(err).toContain(what);
		expect(err).toContain(wayOn);
		expect(err).not.toContain('    at ');
	});
});
