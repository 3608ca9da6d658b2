import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { UserError } from '../scripts/userError';

import { runProgram } from './childProcess';
import { n8nCommand } from './installation';
import { saveProvisioned, type Provisioned } from './userFolder';
import type { Credential, Workflow } from './workflow';

interface ProvisionOptions {
	version?: string;
	userFolder: string;
	provisioned: Provisioned;
	credentials: Credential[];
	workflows: Workflow[];
	publish: (workflow: Workflow) => boolean;
	env: NodeJS.ProcessEnv;
	signal?: AbortSignal;
}

/**
 * Imports credentials and workflows into an n8n that does not run. Credentials are imported again
 * when they differ from the last time; a workflow is imported once and belongs to the person then.
 */
export async function provision(options: ProvisionOptions): Promise<void> {
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
	{
		version,
		userFolder,
		env,
		signal,
	}: Pick<ProvisionOptions, 'version' | 'userFolder' | 'env' | 'signal'>,
): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'avatar-studio-import-'));
	try {
		const file = join(folder, `${what}.json`);
		writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
		const command = [...n8nCommand(version), `import:${what}`, `--input=${file}`];
		const { output } = await runProgram(command, { cwd: userFolder, env, signal, channel: true });
		// n8n exits with 0 even if the import failed.
		if (!output.includes('Successfully imported')) {
			throw new UserError(
				`n8n did not import the ${what}:\n\n${output.trim()}`,
				'Start again, or start from scratch with: npm start -- --fresh',
			);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
