import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the repository's address from package.json, the one place that sets it. */
export function readRepository() {
	const manifest = readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8');
	const { repository } = JSON.parse(manifest) as { repository: { url: string } };
	const name = /github\.com\/([^/]+\/[^/]+)\.git$/.exec(repository.url)![1]!;
	return {
		/** Owner and name, such as `someone/n8n-nodes-avatar-studio`. */
		name,
		/** Matches the address of a repository of this name, whoever owns it. */
		address: new RegExp(
			`(?<=\\b(?:github|raw\\.githubusercontent)\\.com/)[\\w.-]+/${name.split('/')[1]}(?![\\w-])`,
			'g',
		),
		/** Matches the address of a file of this repository up to its path. */
		file: new RegExp(
			`^https://(?:github\\.com/${name}/blob|raw\\.githubusercontent\\.com/${name})/main/`,
		),
	};
}
