import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openRawHost } from './rawHost';

interface Published {
	manifest: { name: string; version: string };
	/** Where its other files are. */
	folder?: string;
}

export type Registry = Awaited<ReturnType<typeof startRegistry>>;

/** Starts an npm registry on 127.0.0.1, which can be used as a proxy to any other as well. */
export async function startRegistry(packages: Published[]) {
	/** The URLs of the requested downloads; of another host's, if this is a proxy. */
	const downloads: string[] = [];
	const host = await openRawHost((request, response) => {
		// A client of a proxy requests the whole URL instead of its path.
		const url = new URL(request.url!, host.url);
		const [name, file] = url.pathname.slice(1).split('/-/');
		const published = packages.filter(({ manifest }) => manifest.name === name);
		if (!file) return void response.end(JSON.stringify(describe(published, url.origin)));
		downloads.push(url.href);
		response.end(pack(published.find((each) => fileOf(each) === file)!));
	});
	return Object.assign(host, { downloads });
}

function describe(published: Published[], origin: string): object {
	const versions = published.map((each) => {
		const { name, version } = each.manifest;
		const dist = { tarball: `${origin}/${name}/-/${fileOf(each)}` };
		return [version, { ...each.manifest, dist }] as const;
	});
	return { 'dist-tags': { latest: versions.at(-1)?.[0] }, versions: Object.fromEntries(versions) };
}

function fileOf({ manifest }: Published): string {
	return `${manifest.name}-${manifest.version}.tgz`;
}

function pack({ manifest, folder }: Published): Buffer {
	const base = mkdtempSync(join(tmpdir(), 'avatar-studio-registry-'));
	const content = join(base, 'package');
	mkdirSync(content);
	if (folder) cpSync(folder, content, { recursive: true });
	writeFileSync(join(content, 'package.json'), JSON.stringify(manifest));
	return execFileSync('tar', ['-cz', 'package'], { cwd: base });
}
