import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { clearUserFolder, openUserFolder, saveImported } from '../../n8n/userFolder';

const NOTHING = { credentials: '', workflows: [] };
let folder: string;
const n8n = () => join(folder, '.n8n');

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'avatar-studio-user-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the folder n8n keeps its state in', () => {
	it('is empty at first', () => {
		expect(openUserFolder(join(folder, 'new'))).toEqual(NOTHING);
	});

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

	it('never clears the folder of another n8n', () => {
		mkdirSync(n8n());

		expect(() => openUserFolder(folder)).toThrow('belongs to another n8n');
		clearUserFolder(folder);
		expect(existsSync(n8n())).toBe(true);
	});

	it('is cleared on request', () => {
		openUserFolder(folder);
		saveImported(folder, { credentials: '[]', workflows: ['one'] });
		mkdirSync(n8n());

		clearUserFolder(folder);

		expect(existsSync(n8n())).toBe(false);
		expect(openUserFolder(folder)).toEqual(NOTHING);
	});
});
