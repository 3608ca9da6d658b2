import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';

import { parseBaseUrl } from '../nodes/AvatarStudio/client/authenticate';
import { redactKey } from '../nodes/AvatarStudio/client/response/redactKey';
import { UserError as NodeUserError } from '../nodes/AvatarStudio/errors/userError';
import { UserError } from '../scripts/userError';

import { ask } from './ask';
import { AskClient } from './client';
import type { Mode } from './openPoints';
import { createPrompt, type AskUser } from './prompt';
import { createReport, formatPage, parseReport, summarize } from './report';

const usage = `Asks the service what its specification leaves open, and writes what it does as a page to share.

  npm run ask -- [options]

  --write            Also import a small file, rename it and delete it again
  --create           Also create one speech and one draft video, which may cost credits
  --yes              Create them without asking again
  --out <folder>     Folder of the report, and of an earlier one to compare with (.)
  --file-url <url>   Small file to import (the file of an asset)
  --avatar-id <id>   Avatar of the draft video (none)
  --help             Show this text

The base URL and the API key are read from AVATAR_STUDIO_BASE_URL and AVATAR_STUDIO_API_KEY, or asked
for. Without --write and --create, nothing is changed.
`;

const REPORT_NAME = 'avatar-studio-report';

/** Where a command reads and writes: `process`, except in tests. */
export interface CommandContext {
	args: string[];
	env: NodeJS.ProcessEnv;
	stdin: Readable & { isTTY?: boolean };
	/** Receives the summary. */
	print: (text: string) => void;
	/** Receives questions and warnings. */
	printMessage: (text: string) => void;
	signal: AbortSignal;
}

/**
 * Runs `npm run ask`.
 *
 * @returns the exit code: 1 if nothing could be observed, 130 if the command was interrupted
 * @throws UserError if an option or an answer is not usable
 */
export async function runCommand(command: CommandContext): Promise<number> {
	const { print, printMessage, signal } = command;
	const options = parseOptions(command.args);
	if (options.help) {
		print(usage);
		return 0;
	}
	const page = join(options.out, `${REPORT_NAME}.md`);
	const json = join(options.out, `${REPORT_NAME}.json`);
	if (!statSync(options.out, { throwIfNoEntry: false })?.isDirectory()) {
		throw new UserError(`${options.out} is not a folder.`, 'Create it, or change --out.');
	}
	const prompt = createPrompt(command.stdin, printMessage);
	signal.addEventListener('abort', prompt.close, { once: true });
	const { credential, modes } = await readAnswers(prompt.askUser, command, options).finally(
		prompt.close,
	);

	const account = identifyAccount(credential);
	const earlier = existsSync(json) ? parseReport(readFileSync(json, 'utf8')) : undefined;
	if (earlier && earlier.account !== account) {
		throw new UserError(
			`${json} is the report of another base URL or API key.`,
			'Choose another folder with --out.',
		);
	}

	printMessage('Asking the service about:\n');
	const observations = await ask(
		{
			client: new AskClient({ ...credential, signal }),
			signal,
			fileUrl: options['file-url'],
			avatarId: options['avatar-id'],
			say: (line) => printMessage(`${line}\n`),
		},
		new Set(modes),
	);

	const masked = maskTexts(observations, credential);
	const observedAt = new Date().toISOString();
	const report = createReport(masked, { account, modes, observedAt }, earlier);
	writeFileSync(json, `${JSON.stringify(report, undefined, '\t')}\n`);
	writeFileSync(page, formatPage(report));
	print(
		`\n${summarize(report).join('\n')}\n\nThe page to share is ${page}; ${json} is what the next run compares with.\n`,
	);
	const isEmpty = Object.values(observations).every((result) => 'notObserved' in result);
	return signal.aborted ? 130 : isEmpty ? 1 : 0;
}

function parseOptions(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				write: { type: 'boolean', default: false },
				create: { type: 'boolean', default: false },
				yes: { type: 'boolean', default: false },
				out: { type: 'string', default: '.' },
				'file-url': { type: 'string' },
				'avatar-id': { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch {
		// The message of parseArgs may repeat an API key.
		throw new UserError('An option is not known, or lacks its value.', usage);
	}
}

async function readAnswers(
	askUser: AskUser,
	{ env, printMessage }: CommandContext,
	options: ReturnType<typeof parseOptions>,
) {
	const credential = await readCredential(askUser, env);
	const modes: Mode[] = ['read'];
	if (options.write) modes.push('write');
	if (options.create) {
		if (options.yes || (await confirmCreation(askUser))) modes.push('create');
		else printMessage('Nothing is created.\n');
	}
	return { credential, modes };
}

async function readCredential(askUser: AskUser, env: NodeJS.ProcessEnv) {
	const { AVATAR_STUDIO_BASE_URL, AVATAR_STUDIO_API_KEY } = env;
	const text = AVATAR_STUDIO_BASE_URL ?? (await askUser('Base URL: '));
	let baseUrl: string;
	try {
		baseUrl = parseBaseUrl(text);
	} catch (error) {
		if (!(error instanceof NodeUserError)) throw error;
		throw new UserError(`${error.summary}.`, 'Correct AVATAR_STUDIO_BASE_URL.');
	}
	const apiKey = (AVATAR_STUDIO_API_KEY ?? (await askUser('API key (hidden): ', true))).trim();
	if (!/^[\x21-\x7e]+$/.test(apiKey)) {
		throw new UserError(
			'The API key is empty, or contains a space or a special character.',
			'Correct AVATAR_STUDIO_API_KEY.',
		);
	}
	return { baseUrl, apiKey };
}

async function confirmCreation(askUser: AskUser): Promise<boolean> {
	const answer = await askUser(
		'--create requests one speech and one draft video. They may cost credits, and the API cannot delete them. Continue? [y/N] ',
	);
	return /^y(es)?$/i.test(answer.trim());
}

/** Identifies base URL and key, and tells nothing about them to anyone who does not know the key. */
function identifyAccount({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }): string {
	return createHmac('sha256', apiKey).update(baseUrl).digest('hex').slice(0, 8);
}

/** Observations contain no values of the account; this masks the key and the host all the same. */
function maskTexts<T>(value: T, { apiKey, baseUrl }: { apiKey: string; baseUrl: string }): T {
	const { hostname } = new URL(baseUrl);
	const mask = (text: string) => redactKey(text, apiKey).replaceAll(hostname, '[masked]');
	const text = JSON.stringify(value, (_key, inner: unknown) =>
		typeof inner === 'string' ? mask(inner) : inner,
	);
	return JSON.parse(text) as T;
}
