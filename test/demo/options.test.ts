import { parseOptions } from '../../demo/options';

test('npm start accepts every option', () => {
	const options = parseOptions(['--port=7000', '--folder=elsewhere', '--fresh', '--check']);

	expect(options).toMatchObject({ port: 7000, fresh: true, check: true, watch: false });
	expect(options.folder).toMatch(/[\\/]elsewhere$/);
});

test('npm start passes on what the stand-in should do', () => {
	const flags = ['--as-specified', '--fail-renderings', '--trial'];
	const { service } = parseOptions([...flags, '--render-seconds=20', '--callbacks=0']);

	expect(service).toEqual({
		asSpecified: true,
		rendering: { seconds: 20, failure: expect.any(String), isTrial: true, callbacks: 0 },
	});
});

test.each([
	[['--prot', '7000'], "Unknown option '--prot'"],
	[['7000'], "Unexpected argument '7000'"],
	[['--port', '80'], '--port 80 is not a whole number from 1024 to 65531'],
	[['--port', 'x'], '--port x is not a whole number'],
	[['--render-seconds', 'x'], '--render-seconds x is not a whole number'],
])('npm start refuses %j and says what to do', (args, message) => {
	expect(() => parseOptions(args)).toThrow(
		expect.objectContaining({
			message: expect.stringContaining(message),
			hint: expect.stringContaining('npm start -- --help'),
		}) as Error,
	);
});
