import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The owner of an n8n, who may do everything in it. */
export interface Owner {
	email: string;
	firstName: string;
	lastName: string;
	password: string;
	/** bcrypt of the password. It is kept, because a new hash would log out every browser. */
	passwordHash: string;
}

/** The file in a user folder that holds its owner. */
export const OWNER_FILE = 'owner.json';

/**
 * Returns the owner of a user folder, with a random password the first time: a known one would let
 * every program and, by DNS rebinding, every web page on this machine log in.
 *
 * @param hash creates the bcrypt hash of a new password
 */
export function openOwner(userFolder: string, hash: (password: string) => string): Owner {
	const file = join(userFolder, OWNER_FILE);
	if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Owner;
	// n8n requires a capital letter and a digit.
	const password = `A1-${randomBytes(18).toString('base64url')}`;
	const owner: Owner = {
		email: 'demo@example.com',
		firstName: 'Demo',
		lastName: 'Owner',
		password,
		passwordHash: hash(password),
	};
	writeFileSync(file, JSON.stringify(owner, null, '\t'), { mode: 0o600, flag: 'wx' });
	return owner;
}
