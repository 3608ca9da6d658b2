import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from './n8nFolder';
import type { Credential, Workflow } from './workflow';

/** The example workflows, in the order of their file names. */
export function exampleWorkflows(): Workflow[] {
	const folder = join(projectRoot, 'examples');
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow);
}

/** The credential that the example workflows name, for a stand-in at an address. */
export function standInCredential(service: { url: string; apiKey: string }): Credential {
	return {
		id: 'AvatarStudioDemo1',
		name: 'Avatar Studio (stand-in)',
		type: 'avatarStudioApi',
		data: { baseUrl: service.url, apiKey: service.apiKey },
	};
}
