import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';

import { UserError } from '../scripts/userError';

export type AskUser = ReturnType<typeof createPrompt>['askUser'];

/**
 * Asks questions on the terminal, or takes one line each from a pipe. `askUser` throws a UserError
 * with a hint if there is nobody to ask.
 */
export function createPrompt(input: Readable & { isTTY?: boolean }, print: (text: string) => void) {
	let isHidden = false;
	const output = new Writable({
		write: (chunk: Buffer, _encoding, done) => {
			if (!isHidden) print(chunk.toString());
			done();
		},
	});
	const terminal = input.isTTY ?? false;
	const readline = createInterface({ input, output, terminal });
	// In a terminal, Ctrl+C arrives as a key.
	readline.on('SIGINT', () => readline.close());
	const lines = readline[Symbol.asyncIterator]();
	return {
		askUser: async (question: string, hint: string, hidden = false) => {
			print(question);
			isHidden = hidden;
			const { value, done } = await lines.next();
			isHidden = false;
			if (hidden || !terminal) print('\n');
			if (done) throw new UserError('No answer was given.', hint);
			return value;
		},
		close: () => readline.close(),
	};
}
