import type * as Core from 'n8n-core';

import { requireFromN8n } from '../n8n/installation';

import type { Subject } from './job';

export const CREDENTIAL = { id: 'benchCredential1', name: 'Avatar Studio account' };

interface Repository {
	create(entity: object): object;
	save(entity: object): Promise<unknown>;
}

/** Puts the credential into n8n's database, encrypted as n8n does it. */
export async function saveCredential({ url, apiKey }: Subject): Promise<void> {
	const { Credentials } = requireFromN8n<typeof Core>('n8n-core');
	const { Container } = requireFromN8n<{ Container: { get<T>(type: unknown): T } }>('@n8n/di');
	const { CredentialsRepository } = requireFromN8n<{ CredentialsRepository: unknown }>('@n8n/db');
	const credentials = new Credentials(
		{ id: CREDENTIAL.id, name: CREDENTIAL.name },
		'avatarStudioApi',
	);
	await credentials.setData({ baseUrl: url, apiKey });
	const repository = Container.get<Repository>(CredentialsRepository);
	await repository.save(
		repository.create({ ...CREDENTIAL, type: 'avatarStudioApi', data: credentials.data }),
	);
}
