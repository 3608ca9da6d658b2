import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { startService, type Service, type ServiceOptions } from '../service/service';

import type { TableContent } from './dataTable';
import { respondToExample } from './exampleModel';
import { projectRoot } from './installation';
import { startLanguageModel } from './languageModel';
import type { Ports } from './ports';
import type { Credential, Workflow } from './workflow';

/** An example workflow, and the name of its file without the extension. */
export type Example = Workflow & { file: string };

/** The example to start with. */
const FIRST = 'video-from-form.json';

/** Returns the example workflows: the one to start with, then the others by file name. */
export function readExamples(): Example[] {
	const folder = join(projectRoot, 'examples');
	const others = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== FIRST);
	return [FIRST, ...others.sort()].map((file) => ({
		...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow),
		file: basename(file, '.json'),
	}));
}

/** The data tables that the examples read and write. */
export const exampleTables: TableContent[] = [
	{
		name: 'Videos to make',
		columns: ['title', 'script', 'state', 'video', 'link', 'note'],
		rows: [
			{ title: 'Welcome', script: 'Welcome! It is good to have you here.' },
			{ title: 'Goodbye', script: 'Thank you for watching. See you soon!' },
		],
	},
	{ name: 'Video orders', columns: ['order', 'state', 'video', 'link'], rows: [] },
];

/** The stand-ins that the examples use instead of real accounts. */
export interface ExampleServices {
	service: Service;
	close(): Promise<void>;
}

/** Starts the stand-in for the service and the language model on these ports of 127.0.0.1. */
export async function startExampleServices(
	ports: Pick<Ports, 'service' | 'files' | 'model'>,
	options: ServiceOptions = {},
): Promise<ExampleServices> {
	const { service: port, files: filesPort } = ports;
	const service = await startExampleService({ ...options, port, filesPort });
	const model = await startLanguageModel(ports.model, respondToExample);
	return {
		service,
		async close() {
			await Promise.all([service.close(), model.close()]);
		},
	};
}

/** Starts the stand-in as the examples expect it. Port 0 is any free one. */
export async function startExampleService(
	options: ServiceOptions & { port: number; filesPort: number },
): Promise<Service> {
	return await startService({
		...options,
		speechResponse: 'link',
		refusesUnknownAvatars: true,
		hasVoiceSamples: true,
	});
}

/** Returns the credentials that the examples use, for the stand-ins on these ports. */
export function createExampleCredentials(ports: Pick<Ports, 'service' | 'model'>): Credential[] {
	return [
		{
			id: 'AvatarStudioDemo1',
			name: 'Avatar Studio (stand-in)',
			type: 'avatarStudioApi',
			data: { baseUrl: `http://127.0.0.1:${ports.service}`, apiKey: 'demo-key' },
		},
		{
			id: 'ScriptedModel001',
			name: 'Scripted model (stand-in)',
			type: 'openAiApi',
			data: { apiKey: 'not-needed', url: `http://127.0.0.1:${ports.model}/v1` },
		},
	];
}
