import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEnvironment } from '../n8n/environment';
import { n8nCommand } from '../n8n/installation';
import { installNode, type NodePackage } from '../n8n/nodePackage';

import { Child } from './child';
import type { Subject } from './job';
import type { N8nAnswers, Started } from './n8nChild';

export type N8nProcess = Child<N8nAnswers>;

/** Starts processes with n8n in them, each with a user folder of its own. */
export class N8nProcesses {
	private readonly folder = mkdtempSync(join(tmpdir(), 'avatar-studio-bench-'));
	private readonly children: N8nProcess[] = [];
	private count = 0;

	constructor(private readonly subject: Subject) {}

	/** Installs the package and lets n8n make its database once; the others start from a copy. */
	async prepare(nodePackage: NodePackage, signal: AbortSignal): Promise<Started> {
		const template = join(this.folder, 'template');
		await installNode(nodePackage, template, signal);
		const child = this.fork(template);
		const started = await child.ask('start', this.subject);
		await child.stop();
		return started;
	}

	/** Starts a n8n. */
	async start(): Promise<N8nProcess> {
		const userFolder = join(this.folder, String(++this.count));
		cpSync(join(this.folder, 'template'), userFolder, { recursive: true });
		const child = this.fork(userFolder);
		await child.ask('start', this.subject);
		return child;
	}

	/** Ends them all and removes their folders. */
	async close(): Promise<void> {
		await Promise.all(this.children.map(async (child) => await child.stop()));
		rmSync(this.folder, { recursive: true, force: true });
	}

	private fork(userFolder: string): N8nProcess {
		const [node] = n8nCommand();
		const env = createEnvironment({
			userFolder,
			// Nothing listens: these are what n8n would use.
			port: 0,
			brokerPort: 0,
			extra: {
				N8N_LOG_LEVEL: 'error',
				N8N_ENCRYPTION_KEY: 'the key of the bench',
			},
		});
		const child: N8nProcess = new Child('n8nChild.ts', { node, env });
		this.children.push(child);
		return child;
	}
}
