import { createProgramError, printError, UserError } from '../../scripts/userError';

let printed: string;

beforeEach(() => {
	printed = '';
	jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
		printed += String(text);
		return true;
	});
});

afterEach(() => jest.restoreAllMocks());

describe('what the user sees of a program that has failed', () => {
	const stack = '\n    at Statement.handler (/n8n/driver.js:101:39)';

	it('is the reason and what to do, with its last lines', () => {
		const output = `Starting migration\nSQLITE_FULL: database or disk is full${stack}`;

		printError(createProgramError('n8n did not start', output, 'Start again.'));

		expect(printed).toContain('n8n did not start: The disk is full.');
		expect(printed).toContain('Free about 4 GB, then start again.');
		expect(printed).not.toContain('    at ');
	});

	it('is its last lines without a known reason', () => {
		const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);

		printError(createProgramError('n8n did not start', lines.join('\n'), 'Start again.'));

		expect(printed).toContain('line 99');
		expect(printed).not.toContain('line 10\n');
		expect(printed).toContain('Start again.');
	});
});

describe('what the user sees of an error', () => {
	it('is what happened and what to do', () => {
		printError(new UserError('The port is taken.', 'Choose another one.'));

		expect(printed).toBe('\nThe port is taken.\n\nChoose another one.\n');
	});

	it.each([
		['EACCES', "permission denied, mkdir 'x'", 'belong to you'],
		['ENOSPC', 'no space left on device, write', 'Free about 4 GB'],
	])('is a sentence when the operating system says %s', (code, message, hint) => {
		printError(Object.assign(new Error(`${code}: ${message}`), { code }));

		expect(printed).toContain(message);
		expect(printed).toContain(hint);
		expect(printed).not.toContain('    at ');
	});

	it('is where it happened when it is a mistake of ours', () => {
		printError(new TypeError('x is not a function'));

		expect(printed).toMatch(/TypeError: x is not a function\n {4}at /);
	});
});
