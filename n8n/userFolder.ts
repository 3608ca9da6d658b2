import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { UserError } from '../scripts/userError';

/** The credentials and workflows that were imported into a user folder. */
export interface Imported {
	/** The credentials as JSON. */
	credentials: string;
	/** IDs of the workflows. */
	workflows: string[];
}

const fileIn = (userFolder: string) => join(userFolder, 'imported.json');

/**
 * Opens a user folder of n8n and returns what was imported into it. What an interrupted first
 * start left behind is removed.
 *
 * @throws UserError if the folder belongs to another n8n
 */
export function openUserFolder(userFolder: string): Imported {
	mkdirSync(userFolder, { recursive: true });
	const file = fileIn(userFolder);
	if (!existsSync(file) && existsSync(join(userFolder, '.n8n'))) {
		throw new UserError(
			`${join(userFolder, '.n8n')} belongs to another n8n; the demo leaves it alone.`,
			'Choose another folder: npm start -- --folder DIR',
		);
	}
	const content = existsSync(file) ? readFileSync(file, 'utf8') : '';
	if (content !== '') return JSON.parse(content) as Imported;
	clearUserFolder(userFolder);
	// Empty until the first start is complete.
	writeFileSync(file, '');
	return { credentials: '', workflows: [] };
}

/** Records what was imported into a user folder. */
export function saveImported(userFolder: string, imported: Imported): void {
	const file = fileIn(userFolder);
	writeFileSync(`${file}.new`, JSON.stringify(imported, null, '\t'));
	renameSync(`${file}.new`, file);
}

/** Removes everything n8n keeps in a user folder, unless it belongs to another n8n. */
export function clearUserFolder(userFolder: string): void {
	if (!existsSync(fileIn(userFolder))) return;
	for (const name of ['.n8n', 'n8n.log', 'imported.json']) {
		rmSync(join(userFolder, name), { recursive: true, force: true });
	}
}
