import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openOwner } from '../../n8n/owner';
import { clearUserFolder, openUserFolder, saveImported } from '../../n8n/userFolder';

const NOTHING = { credentials: '', workflows: [] };
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'avatar-studio-user-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('The folder has a password of its own, and nobody else can read it', () => {
	openUserFolder(folder);
	saveImported(folder, NOTHING);
	const { password } = openOwner(folder, String);
	expect(openOwner(folder, String).password).toBe(password);
	expect(statSync(folder).mode & 0o777).toBe(0o700);
	for (const file of readdirSync(folder)) {
		expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
	}
	clearUserFolder(folder);
	openUserFolder(folder);
	expect(openOwner(folder, String).password).not.toBe(password);
});
