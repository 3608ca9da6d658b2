import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createProgramError, runNode } from './childProcess';
import { n8nCommand } from './installation';

const START_AGAIN = 'Start again, or start from scratch with: npm start -- --fresh';

/**
 * Imports credentials or workflows with n8n's own command. n8n must not be running.
 *
 * @param content credentials with plain data, or workflows; imported workflows are inactive
 */
export async function importFile(
	type: 'credentials' | 'workflow',
	content: object[],
	options: { version?: string; userFolder: string; env: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<void> {
	if (content.length === 0) return;
	const { version, userFolder, env, signal } = options;
	const folder = mkdtempSync(join(tmpdir(), 'avatar-studio-import-'));
	try {
		const file = join(folder, `${type}.json`);
		writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
		const [node, ...args] = n8nCommand(version);
		const command = [...args, `import:${type}`, `--input=${file}`];
		const { output } = await runNode(command, { node, cwd: userFolder, env, signal });
		// n8n exits with 0 even if the import failed.
		if (!output.includes('Successfully imported')) {
			throw createProgramError(`n8n did not import the ${type}`, output, START_AGAIN);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
