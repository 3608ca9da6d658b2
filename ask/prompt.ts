import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

import { UserError } from '../scripts/userError';

/**
 * Asks the user for one line.
 *
 * @param isHidden whether what is typed stays invisible
 * @throws UserError if the input ends first
 */
export type AskUser = (question: string, isHidden?: boolean) => Promise<string>;

/** Asks questions on the terminal, or takes one line each from a pipe. */
export function createPrompt(): { askUser: AskUser; close: () => void } {
	let isHidden = false;
	const output = new Writable({
		write: (chunk: Buffer, _encoding, done) => {
			if (!isHidden) process.stderr.write(chunk);
			done();
		},
	});
	const terminal = process.stdin.isTTY;
	const readline = createInterface({ input: process.stdin, output, terminal });
	// In a terminal, Ctrl+C arrives as a key.
	readline.on('SIGINT', () => readline.close());
	const lines = readline[Symbol.asyncIterator]();
	return {
		askUser: async (question, hidden = false) => {
			process.stderr.write(question);
			isHidden = hidden;
			const { value, done } = await lines.next();
			isHidden = false;
			if (hidden || !terminal) process.stderr.write('\n');
			if (done) {
				throw new UserError(
					'No answer was given.',
					'Set AVATAR_STUDIO_BASE_URL and AVATAR_STUDIO_API_KEY in the environment, or answer the questions.',
				);
			}
			return value;
		},
		close: () => readline.close(),
	};
}
