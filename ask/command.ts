import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';

import { authenticate, getApiKey, parseBaseUrl } from '../nodes/AvatarStudio/client/credential';
import { redactKey } from '../nodes/AvatarStudio/client/response/redactKey';
import type { UserError as NodeUserError } from '../nodes/AvatarStudio/errors/userError';
import { requireSeparator } from '../scripts/startOptions';
import { UserError } from '../scripts/userError';

import { ask } from './ask';
import type { Observations } from './askContext';
import type { Mode } from './openPoints';
import { createPrompt, type AskUser } from './prompt';
import { formatPage, summarize } from './report';
import { Service } from './service';

const HELP = `Asks the service what its specification leaves open, and writes what it does as a page to share.

  npm run ask -- [options]

  --write            Also import a small file, rename it and delete it again
  --create           Also create one speech and one draft video, which may cost credits
  --yes              Create them without asking again
  --out <folder>     Folder of the page (.)
  --file-url <url>   Small file to import (the file of an image among the assets)
  --avatar-id <id>   Avatar of the draft video (none)
  --help             Show this text

Base URL and API key are read from AVATAR_STUDIO_BASE_URL and AVATAR_STUDIO_API_KEY, or asked for.
`;

const CONFIRMATION = [
	'--create requests one speech and one draft video. They may cost credits, and the API cannot delete them. Continue? [y/N] ',
	'Add --yes to create them without being asked.',
] as const;

const flag = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;
const OPTIONS = {
	...{ write: flag, create: flag, yes: flag, help: flag },
	...{ out: { ...text, default: '.' }, 'file-url': text, 'avatar-id': text },
};

/** Where a command reads and writes: `process`, except in tests. */
export interface CommandContext {
	args: string[];
	env: NodeJS.ProcessEnv;
	stdin: Readable & { isTTY?: boolean };
	print: (text: string) => void;
	signal: AbortSignal;
	/** How often to say what is waited for. Default 5,000. */
	tellEveryMs?: number;
}

/**
 * Runs `npm run ask`.
 *
 * @returns the exit code: 130 if the command was interrupted
 * @throws UserError if an option or an answer is not usable, or if nothing can be read
 */
export async function runCommand(command: CommandContext): Promise<number> {
	const { args, env, stdin, print, signal, tellEveryMs = 5_000 } = command;
	const { help, out, write, create, yes, ...options } = parseOptions(args, env);
	if (help) {
		print(HELP);
		return 0;
	}
	if (!statSync(out, { throwIfNoEntry: false })?.isDirectory()) {
		throw new UserError(`${out} is not a folder.`, 'Create it, or change --out.');
	}
	const { askUser, close } = createPrompt(stdin, print);
	signal.addEventListener('abort', close, { once: true });
	const modes: Mode[] = write ? ['read', 'write'] : ['read'];
	const credential = await readCredential(askUser, env)
		.then(async (answers) => {
			if (create && (yes || /^y/i.test(await askUser(...CONFIRMATION)))) modes.push('create');
			return answers;
		})
		.finally(close);

	const say = (line: string) => print(`${line}\n`);
	say('Asking the service about:');
	const service = new Service(credential, signal);
	const observations: Observations = {};
	const { 'file-url': fileUrl, 'avatar-id': avatarId } = options;
	const pollMs = 2 * tellEveryMs;
	const context = { service, observations, fileUrl, avatarId, signal, say, pollMs };
	let seen = 0;
	const timer = setInterval(() => {
		const { length } = service.exchanges;
		const status = service.exchanges.at(-1)?.status ?? 'none';
		if (length === seen) say(`    Waiting. Status of the last response: ${status}.`);
		seen = length;
	}, tellEveryMs);
	const asked = ask(context, modes).finally(() => clearInterval(timer));
	await asked.catch((error: unknown) => {
		const reason = `Nothing could be read: ${service.explain(error)}.`;
		throw new UserError(reason, 'Check the base URL and the API key.');
	});
	const file = join(out, 'avatar-studio-report.md');
	const page = redactKey(formatPage(modes, observations, service.exchanges), credential.apiKey);
	writeFileSync(file, page.replaceAll(new URL(credential.baseUrl).hostname, '[masked]'));
	say(`\n${summarize(observations)}\n\nThe page to share is ${file}.`);
	return signal.aborted ? 130 : 0;
}

function parseOptions(args: string[], env: NodeJS.ProcessEnv) {
	requireSeparator(OPTIONS, 'npm run ask', env);
	try {
		return parseArgs({ args, options: OPTIONS }).values;
	} catch {
		// The message of parseArgs may repeat an API key.
		throw new UserError('An option is not known, or lacks its value.', HELP);
	}
}

async function readCredential(askUser: AskUser, env: NodeJS.ProcessEnv) {
	const read = async (name: string, question: string, isHidden = false) =>
		env[name] ?? (await askUser(question, `Set ${name}.`, isHidden));
	const baseUrl = await read('AVATAR_STUDIO_BASE_URL', 'Base URL: ');
	const apiKey = await read('AVATAR_STUDIO_API_KEY', 'API key (hidden): ', true);
	try {
		authenticate({ baseUrl, apiKey }, { url: '' });
		return { baseUrl: parseBaseUrl(baseUrl), apiKey: getApiKey({ apiKey }) };
	} catch (error) {
		const hint = 'Correct AVATAR_STUDIO_BASE_URL or AVATAR_STUDIO_API_KEY.';
		throw new UserError(`${(error as NodeUserError).summary}.`, hint);
	}
}
