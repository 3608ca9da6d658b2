import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { forgetState, openUserFolder, saveProvisioned } from '../../n8n/userFolder';

jest.mock('../../n8n/installation', () => ({
	requireFromN8n: () => ({ hashSync: (text: string) => `hash of ${text}` }),
}));

let folder: string;
const n8n = () => join(folder, '.n8n');

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'avatar-studio-user-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the folder that n8n keeps its state in', () => {
	it('starts empty', () => {
		expect(openUserFolder(folder)).toMatchObject({ complete: false, workflows: [] });
	});

	it('keeps what was put into it, and the password hash with it', () => {
		const first = openUserFolder(folder);
		saveProvisioned(folder, { ...first, complete: true, workflows: ['one'] });

		expect(openUserFolder(folder)).toEqual({ ...first, complete: true, workflows: ['one'] });
	});

	it('is made anew after a first start that was interrupted', () => {
		openUserFolder(folder);
		mkdirSync(n8n());

		expect(openUserFolder(folder)).toMatchObject({ complete: false });
		expect(existsSync(n8n())).toBe(false);
	});

	it('is made anew when its record was cut short', () => {
		openUserFolder(folder);
		writeFileSync(join(folder, 'provisioned.json'), '{"compl');

		expect(openUserFolder(folder)).toMatchObject({ complete: false });
	});

	it('is never a folder of another n8n', () => {
		mkdirSync(n8n());

		expect(() => openUserFolder(folder)).toThrow('belongs to another n8n');
		forgetState(folder);
		expect(existsSync(n8n())).toBe(true);
	});

	it('is forgotten on request', () => {
		saveProvisioned(folder, { ...openUserFolder(folder), complete: true });
		mkdirSync(n8n());

		forgetState(folder);

		expect(existsSync(n8n())).toBe(false);
		expect(openUserFolder(folder)).toMatchObject({ complete: false });
	});
});
