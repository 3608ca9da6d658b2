import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';

import { UserError } from '../scripts/userError';

/**
 * Asks the user for one line.
 *
 * @param isHidden whether what is typed stays invisible
 * @throws UserError if the input ends first
 */
export type AskUser = (question: string, isHidden?: boolean) => Promise<string>;

/** Asks questions on the terminal, or takes one line each from a pipe. */
export function createPrompt(
	input: Readable & { isTTY?: boolean },
	print: (text: string) => void,
): { askUser: AskUser; close: () => void } {
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
		askUser: async (question, hidden = false) => {
			print(question);
			isHidden = hidden;
			const { value, done } = await lines.next();
			isHidden = false;
			if (hidden || !terminal) print('\n');
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
