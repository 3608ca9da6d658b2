import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { loadOptions, searchList, testCredential } from './engine/engine';

/** What a user in the editor waits for, as a table: each throws if it shows an error. */
export const INTERACTIVE: [
	what: string,
	request: (credentials: ICredentialDataDecryptedObject) => Promise<unknown>,
][] = [
	['a list of assets', async (credentials) => await searchList('searchAssets', credentials)],
	['a list of voices', async (credentials) => await searchList('searchVoices', credentials)],
	[
		'a list of languages',
		async (credentials) => await loadOptions('getVoiceLanguages', credentials),
	],
	[
		'a list of providers',
		async (credentials) => await loadOptions('getVoiceProviders', credentials),
	],
	[
		'a credential test',
		async (credentials) => {
			const { status, message } = await testCredential(credentials);
			if (status === 'Error') throw new Error(message);
		},
	],
];
