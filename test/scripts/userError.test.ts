import { createProgramError } from '../../n8n/childProcess';
import { printError } from '../../scripts/userError';

function print(error: unknown): string {
	const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
	printError(error);
	const printed = write.mock.calls.join('');
	write.mockRestore();
	return printed;
}

describe('a printed error', () => {
	it('contains the last lines of a program that failed, without its stack trace', () => {
		const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
		const output = [...lines, '    at Statement.handler (/n8n/driver.js:101:39)'].join('\n');

		const printed = print(createProgramError('n8n did not start', output, 'Start again.'));

		expect(printed).toMatch(/^\nn8n did not start\n\nline 88\n[^]*line 99\n\nStart again\.\n$/);
	});

	it('has a stack trace if it is a bug of ours', () => {
		expect(print(new TypeError('x is not a function'))).toMatch(
			/TypeError: x is not a function\n {4}at /,
		);
	});
});
