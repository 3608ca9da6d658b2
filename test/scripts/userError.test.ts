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

describe('the error of a failed program', () => {
	const stack = '\n    at Statement.handler (/n8n/driver.js:101:39)';

	it('contains the reason, what to do and its last output', () => {
		const output = `Starting migration\nSQLITE_FULL: database or disk is full${stack}`;

		printError(createProgramError('n8n did not start', output, 'Start again.'));

		expect(printed).toContain('n8n did not start: The disk is full.');
		expect(printed).toContain('Free about 4 GB, then start again.');
		expect(printed).not.toContain('    at ');
	});

	it('contains its last output if the reason is unknown', () => {
		const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);

		printError(createProgramError('n8n did not start', lines.join('\n'), 'Start again.'));

		expect(printed).toContain('line 99');
		expect(printed).not.toContain('line 10\n');
		expect(printed).toContain('Start again.');
	});
});

describe('a printed error', () => {
	it('says what happened and what to do', () => {
		printError(new UserError('The port is taken.', 'Choose another one.'));

		expect(printed).toBe('\nThe port is taken.\n\nChoose another one.\n');
	});

	it.each([
		['EACCES', "permission denied, mkdir 'x'", 'belong to you'],
		['ENOSPC', 'no space left on device, write', 'Free about 4 GB'],
	])('is a sentence if the operating system reports %s', (code, message, hint) => {
		printError(Object.assign(new Error(`${code}: ${message}`), { code }));

		expect(printed).toContain(message);
		expect(printed).toContain(hint);
		expect(printed).not.toContain('    at ');
	});

	it('has a stack trace if it is a bug of ours', () => {
		printError(new TypeError('x is not a function'));

		expect(printed).toMatch(/TypeError: x is not a function\n {4}at /);
	});
});
