import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The repository that package.json names. */
export interface Repository {
	/** Owner and name, such as `someone/n8n-nodes-avatar-studio`. */
	name: string;
	/** Matches the address of a repository of this name, whoever owns it. */
	address: RegExp;
	/** Matches the address of a file of this repository up to its path. */
	file: RegExp;
}

/** Reads the repository's address from package.json, the one place that sets it. */
export function readRepository(): Repository {
	const manifest = readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8');
	const { repository } = JSON.parse(manifest) as { repository: { url: string } };
	const name = /github\.com\/([^/]+\/[^/]+)\.git$/.exec(repository.url)![1]!;
	return {
		name,
		address: new RegExp(
			`(?<=\\b(?:github|raw\\.githubusercontent)\\.com/)[\\w.-]+/${name.split('/')[1]}(?![\\w-])`,
			'g',
		),
		file: new RegExp(
			`^https://(?:github\\.com/${name}/blob|raw\\.githubusercontent\\.com/${name})/main/`,
		),
	};
}
