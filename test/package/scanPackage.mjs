// Runs n8n's own scan of community packages before publishing instead of after: first on the
// sources in git, then on the packed tarball. Exits with 1 if either fails.
import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'avatar-studio-scan-'));
try {
	const [{ filename }] = JSON.parse(
		execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
			cwd: root,
			encoding: 'utf8',
			shell: process.platform === 'win32',
		}),
	);
	execFileSync('tar', ['-xzf', filename], { cwd: folder });
	for (const [what, directory, patterns] of [
		['sources', root, SOURCE_FILE_PATTERNS],
		['tarball', path.join(folder, 'package'), undefined],
	]) {
		const { passed, message, details } = await analyzePackage(directory, patterns);
		console.log(`${what}: ${passed ? 'passed' : message}`);
		if (!passed) {
			console.log(details ?? '');
			process.exitCode = 1;
		}
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
