import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { UserError } from '../scripts/userError';

import { requireFromN8n } from './installation';
import { owner } from './owner';

/** What was put into a user folder, so that it is put there once. */
export interface Provisioned {
	/** Kept, because a new hash would end every session in the browser. */
	passwordHash: string;
	/** False until the first import is done: until then nothing in it is a person's work. */
	complete: boolean;
	/** The credentials as they were imported. */
	credentials: string;
	/** Ids of the imported workflows. */
	workflows: string[];
	/** Ids of those that are still to be published. */
	unpublished: string[];
}

const fileIn = (userFolder: string) => join(userFolder, 'provisioned.json');

/** Opens a user folder; what an interrupted first start left behind is made anew. */
export function openUserFolder(userFolder: string): Provisioned {
	mkdirSync(userFolder, { recursive: true });
	const known = existsSync(fileIn(userFolder));
	if (!known && existsSync(join(userFolder, '.n8n'))) {
		throw new UserError(
			`${join(userFolder, '.n8n')} belongs to another n8n; the demo leaves it alone.`,
			'Choose another folder: npm start -- --folder DIR',
		);
	}
	if (known) {
		const provisioned = read(userFolder);
		if (provisioned?.complete) return provisioned;
		forgetState(userFolder);
	}
	const bcrypt = requireFromN8n<{ hashSync(text: string, rounds: number): string }>('bcryptjs');
	const provisioned: Provisioned = {
		passwordHash: bcrypt.hashSync(owner.password, 10),
		complete: false,
		credentials: '',
		workflows: [],
		unpublished: [],
	};
	saveProvisioned(userFolder, provisioned);
	return provisioned;
}

/** Writes down what was put into a user folder. */
export function saveProvisioned(userFolder: string, provisioned: Provisioned): void {
	const file = fileIn(userFolder);
	// Written beside and renamed, so that it is never half there.
	writeFileSync(`${file}.new`, JSON.stringify(provisioned, null, '\t'));
	renameSync(`${file}.new`, file);
}

/** Removes everything n8n keeps in a user folder, if the demo made it. */
export function forgetState(userFolder: string): void {
	if (!existsSync(fileIn(userFolder))) return;
	rmSync(join(userFolder, '.n8n'), { recursive: true, force: true });
	rmSync(join(userFolder, 'n8n.log'), { force: true });
	rmSync(fileIn(userFolder), { force: true });
}

function read(userFolder: string): Provisioned | undefined {
	try {
		return JSON.parse(readFileSync(fileIn(userFolder), 'utf8')) as Provisioned;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}
