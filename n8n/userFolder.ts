import {
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { UserError } from '../scripts/userError';

import { OWNER_FILE } from './owner';

/** The credentials and workflows that were imported into a user folder. */
export interface Imported {
	/** The credentials as JSON. */
	credentials: string;
	/** IDs of the workflows. */
	workflows: string[];
}

/** The file in which a demo notes that it uses the folder, and where. */
export const PORT_FILE = 'port';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = { mode: 0o600 };

const fileIn = (userFolder: string) => join(userFolder, 'imported.json');

/**
 * Opens a user folder of n8n, which only this account may read from then on, and returns what was
 * imported into it. What an interrupted first start left behind is removed.
 *
 * @throws UserError if the folder holds anything else
 */
export function openUserFolder(userFolder: string): Imported {
	mkdirSync(userFolder, { recursive: true, mode: PRIVATE_FOLDER });
	const file = fileIn(userFolder);
	if (!existsSync(file) && readdirSync(userFolder).length > 0) {
		throw new UserError(
			`${userFolder} holds files that are not the demo's; it leaves them alone.`,
			'Choose an empty folder: npm start -- --folder DIR',
		);
	}
	chmodSync(userFolder, PRIVATE_FOLDER);
	const content = existsSync(file) ? readFileSync(file, 'utf8') : '';
	if (content !== '') return JSON.parse(content) as Imported;
	clearUserFolder(userFolder);
	// The file stays empty until the first start is complete.
	writeFileSync(file, '', PRIVATE_FILE);
	return { credentials: '', workflows: [] };
}

/** Records what was imported into a user folder. */
export function saveImported(userFolder: string, imported: Imported): void {
	const file = fileIn(userFolder);
	writeFileSync(`${file}.new`, JSON.stringify(imported, null, '\t'), PRIVATE_FILE);
	renameSync(`${file}.new`, file);
}

/** Removes everything n8n keeps in a user folder that openUserFolder opened. */
export function clearUserFolder(userFolder: string): void {
	if (!existsSync(fileIn(userFolder))) return;
	for (const name of ['.n8n', 'n8n.log', 'imported.json', OWNER_FILE, PORT_FILE]) {
		rmSync(join(userFolder, name), { recursive: true, force: true });
	}
}
