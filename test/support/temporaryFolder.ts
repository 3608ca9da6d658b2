import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { endWithNpm } from '../../n8n/entry';

const PREFIX = 'avatar-studio-test-';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Creates the temporary folder of a test run, in which every other one is made. It is removed when
 * this process ends, also by Ctrl-C. Jest calls it once for each project.
 */
export default function createTemporaryFolder(): void {
	if (basename(tmpdir()).startsWith(PREFIX)) return;
	const folder = mkdtempSync(join(tmpdir(), PREFIX));
	// PostgreSQL does not run as root, and its own folder is in here.
	chmodSync(folder, 0o711);
	// What os.tmpdir() reads, here and in every process that the tests start.
	for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
	process.once('exit', () => {
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	// Without a listener, a signal ends the process without "exit".
	for (const signal of SIGNALS) {
		process.once(signal, () => process.exit(128 + constants.signals[signal]));
	}
	endWithNpm();
}
