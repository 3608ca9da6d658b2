import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A package that the registry serves in every requested version. */
export interface Published {
	name: string;
	versions: string[];
	/** A folder to copy its files from, package.json included. */
	folder?: string;
	/** More of its package.json. */
	manifest?: object;
	/** Its other files, by name. */
	files?: Record<string, string>;
}

/** An npm registry on 127.0.0.1, which can be used as a proxy to any other as well. */
export interface Registry {
	readonly url: string;
	readonly server: Server;
	/** The URLs of the requested downloads; of another host's, if this is a proxy. */
	readonly downloads: string[];
	/** Leaves every request unanswered. */
	isSilent: boolean;
	close(): Promise<void>;
}

/** Starts a registry that serves these packages. */
export async function startRegistry(packages: Published[]): Promise<Registry> {
	const folder = mkdtempSync(join(tmpdir(), 'avatar-studio-registry-'));
	const server = createServer((request, response) => {
		// Whoever asks a proxy sends the whole URL.
		const { href, host, pathname } = new URL(request.url!, `http://${request.headers.host}`);
		if (registry.isSilent) return;
		const [name = '', file] = pathname.slice(1).split('/-/');
		const published = packages.find((candidate) => candidate.name === name);
		if (!published) return void response.writeHead(404).end();
		if (!file) return void response.end(JSON.stringify(describe(published, host)));
		registry.downloads.push(href);
		response.end(pack(folder, published, file));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const registry: Registry = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		server,
		downloads: [],
		isSilent: false,
		async close() {
			server.closeAllConnections();
			await new Promise((closed) => void server.close(closed));
			rmSync(folder, { recursive: true, force: true });
		},
	};
	return registry;
}

function describe(published: Published, host: string): object {
	const { name, versions } = published;
	const described = versions.map((version) => {
		const dist = { tarball: `http://${host}/${name}/-/${name}-${version}.tgz` };
		return [version, { ...readManifest(published, version), dist }];
	});
	return {
		name,
		'dist-tags': { latest: versions.at(-1) },
		versions: Object.fromEntries(described) as object,
	};
}

function pack(folder: string, published: Published, file: string): Buffer {
	const { name, folder: source, files = {} } = published;
	const content = join(folder, file, 'package');
	mkdirSync(content, { recursive: true });
	if (source) cpSync(source, content, { recursive: true });
	const manifest = readManifest(published, file.slice(name.length + 1, -'.tgz'.length));
	writeFileSync(join(content, 'package.json'), JSON.stringify(manifest));
	for (const [path, text] of Object.entries(files)) writeFileSync(join(content, path), text);
	return execFileSync('tar', ['-cz', 'package'], { cwd: join(content, '..') });
}

function readManifest({ name, folder, manifest }: Published, version: string): object {
	const own = folder ? readFileSync(join(folder, 'package.json'), 'utf8') : '{}';
	return { ...(JSON.parse(own) as object), ...manifest, name, version };
}
