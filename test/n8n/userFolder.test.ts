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

describe('the folder n8n keeps its state in', () => {
	it('remembers what was imported, so a workflow the user deleted does not come back', () => {
		openUserFolder(folder);
		saveImported(folder, { credentials: '[]', workflows: ['one'] });
		mkdirSync(n8n());

		expect(openUserFolder(folder)).toEqual({ credentials: '[]', workflows: ['one'] });
		expect(existsSync(n8n())).toBe(true);
	});

	it('is cleared if the first start was interrupted', () => {
		openUserFolder(folder);
		mkdirSync(n8n());

		expect(openUserFolder(folder)).toEqual(NOTHING);
		expect(existsSync(n8n())).toBe(false);
	});

	it('can be read by nobody else', () => {
		const opened = join(folder, 'new');
		openUserFolder(opened);
		saveImported(opened, NOTHING);
		openOwner(opened, String);

		expect(statSync(opened).mode & 0o777).toBe(0o700);
		expect(readdirSync(opened).sort()).toEqual(['imported.json', 'owner.json']);
		for (const file of readdirSync(opened)) {
			expect(statSync(join(opened, file)).mode & 0o777).toBe(0o600);
		}
	});

	it('has an owner with a password of its own, which stays until the folder is cleared', () => {
		openUserFolder(folder);
		const { password } = openOwner(folder, String);
		expect(openOwner(folder, String).password).toBe(password);

		clearUserFolder(folder);
		openUserFolder(folder);
		expect(openOwner(folder, String).password).not.toBe(password);
	});

	it('is never the folder of another n8n, or of anything else', () => {
		mkdirSync(n8n());

		expect(() => openUserFolder(folder)).toThrow("not the demo's");
		clearUserFolder(folder);
		expect(existsSync(n8n())).toBe(true);
	});
});
