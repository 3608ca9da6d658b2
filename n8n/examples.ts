import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { startService, type Service } from '../service/service';

import { projectRoot } from './installation';
import type { Credential, Workflow } from './workflow';

/** Returns the example workflows, in the order of their file names. */
export function readExamples(): Workflow[] {
	const folder = join(projectRoot, 'examples');
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow);
}

/** Starts the stand-in with the answers the examples are made for. Port 0 is any free one. */
export async function startExampleService(ports: {
	port: number;
	filesPort: number;
}): Promise<Service> {
	return await startService({ ...ports, speechResponse: 'link' });
}

/** Returns the credential that the examples refer to, for a stand-in. */
export function toExampleCredential(service: Pick<Service, 'url' | 'apiKey'>): Credential {
	return {
		id: 'AvatarStudioDemo1',
		name: 'Avatar Studio (stand-in)',
		type: 'avatarStudioApi',
		data: { baseUrl: service.url, apiKey: service.apiKey },
	};
}
