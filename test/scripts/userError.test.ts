import { printError, UserError } from '../../scripts/userError';

let printed: string;

beforeEach(() => {
	printed = '';
	jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
		printed += String(text);
		return true;
	});
});

afterEach(() => jest.restoreAllMocks());

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
