import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Creates one folder for the files n8n writes during all tests; environment.ts divides it. */
export default function start(): void {
	process.env.AVATAR_STUDIO_TESTS = mkdtempSync(path.join(tmpdir(), 'avatar-studio-test-'));
}
