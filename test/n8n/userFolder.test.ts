import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openOwner } from '../../n8n/owner';
import { clearUserFolder, openUserFolder, saveImported } from '../../n8n/userFolder';

const NOTHING = { credentials: '', workflows: [] };
let folder: string;
const n8n = () => join(folder, '.n8n');

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'avatar-studio-user-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('A workflow that I deleted does not come back at the next start', () => {
	openUserFolder(folder);
	saveImported(folder, { credentials: '[]', workflows: ['one'] });
	mkdirSync(n8n());
	expect(openUserFolder(folder)).toEqual({ credentials: '[]', workflows: ['one'] });
	expect(existsSync(n8n())).toBe(true);
});

test('A first start that was interrupted starts over', () => {
	openUserFolder(folder);
	mkdirSync(n8n());
	expect(openUserFolder(folder)).toEqual(NOTHING);
	expect(existsSync(n8n())).toBe(false);
});

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

test('The folder of another n8n is left alone', () => {
	mkdirSync(n8n());
	expect(() => openUserFolder(folder)).toThrow("not the demo's");
	clearUserFolder(folder);
	expect(existsSync(n8n())).toBe(true);
});
