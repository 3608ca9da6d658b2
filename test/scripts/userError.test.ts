import { createProgramError, printError, UserError } from '../../scripts/userError';

function print(error: unknown): string {
	const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
	printError(error);
	const printed = write.mock.calls.join('');
	write.mockRestore();
	return printed;
}

describe('a printed error', () => {
	it('says what happened and what to do', () => {
		const error = new UserError('The port is taken.', 'Choose another one.');

		expect(print(error)).toBe('\nThe port is taken.\n\nChoose another one.\n');
	});

	it('contains the last lines of a program that failed, without its stack trace', () => {
		const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
		const output = [...lines, '    at Statement.handler (/n8n/driver.js:101:39)'].join('\n');

		const printed = print(createProgramError('n8n did not start', output, 'Start again.'));

		expect(printed).toMatch(/^\nn8n did not start\n\nline 88\n[^]*line 99\n\nStart again\.\n$/);
	});

	it('is a sentence if the operating system refuses something', () => {
		const message = "EACCES: permission denied, mkdir '/x'";
		const error = Object.assign(new Error(message), { code: 'EACCES', syscall: 'mkdir' });

		expect(print(error)).toBe(`\n${message}\n`);
	});

	it('has a stack trace if it is a bug of ours', () => {
		expect(print(new TypeError('x is not a function'))).toMatch(
			/TypeError: x is not a function\n {4}at /,
		);
	});
});
