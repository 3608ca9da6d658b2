import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runProgram } from './childProcess';
import { Explained } from './explained.cjs';
import { n8nCommand } from './n8nFolder';
import { saveProvisioned, type Provisioned } from './userFolder';
import type { Credential, Workflow } from './workflow';

/**
 * Imports credentials and workflows into a n8n that does not run. Credentials are imported again
 * when they differ from the last time; a workflow is imported once and belongs to the person then.
 */
export async function provision(options: {
	userFolder: string;
	provisioned: Provisioned;
	credentials: Credential[];
	workflows: Workflow[];
	publish: (workflow: Workflow) => boolean;
	env: NodeJS.ProcessEnv;
	signal?: AbortSignal;
}): Promise<void> {
	const { userFolder, provisioned, credentials } = options;
	const fresh = options.workflows.filter(({ id }) => !provisioned.workflows.includes(id));
	const asImported = JSON.stringify(credentials);
	if (credentials.length > 0 && provisioned.credentials !== asImported) {
		await importFile('credentials', credentials, options);
		provisioned.credentials = asImported;
	}
	if (fresh.length > 0) {
		await importFile('workflow', fresh, options);
		provisioned.workflows.push(...fresh.map(({ id }) => id));
		provisioned.unpublished.push(...fresh.filter(options.publish).map(({ id }) => id));
	}
	provisioned.complete = true;
	saveProvisioned(userFolder, provisioned);
}

async function importFile(
	what: 'credentials' | 'workflow',
	content: object[],
	{ userFolder, env, signal }: { userFolder: string; env: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'avatar-studio-import-'));
	try {
		const file = join(folder, `${what}.json`);
		writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
		const command = [...n8nCommand(), `import:${what}`, `--input=${file}`];
		const { output } = await runProgram(command, { cwd: userFolder, env, signal, channel: true });
		// n8n ends with 0 even where the import did not succeed.
		if (!output.includes('Successfully imported')) {
			throw new Explained(
				`n8n did not import the ${what}:\n\n${output.trim()}`,
				'Start again, or start afresh with: npm start -- --fresh',
			);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
