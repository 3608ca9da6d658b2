import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
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

/** An npm registry on 127.0.0.1. */
export interface Registry {
	readonly url: string;
	/** The requested downloads. */
	readonly downloads: string[];
	/** How many of the next downloads start and never finish. */
	stall: number;
	/** Responds to everything with this status if it is set. */
	failWith?: number;
	/** Settles when the next download is requested. */
	whenAsked(): Promise<void>;
	close(): Promise<void>;
}

/** Starts a registry that serves these packages. */
export async function startRegistry(packages: Published[]): Promise<Registry> {
	const folder = mkdtempSync(join(tmpdir(), 'avatar-studio-registry-'));
	const waiting: (() => void)[] = [];
	const server = createServer((request, response) => {
		const [name = '', file] = request.url!.slice(1).split('/-/');
		const published = packages.find((candidate) => candidate.name === name);
		if (registry.failWith) return void response.writeHead(registry.failWith).end();
		if (!published) return void response.writeHead(404).end();
		if (!file) return sendJson(response, describe(published));
		registry.downloads.push(file);
		for (const asked of waiting.splice(0)) asked();
		const tarball = pack(folder, published, file.slice(name.length + 1, -'.tgz'.length));
		if (registry.stall > 0) {
			registry.stall--;
			response.writeHead(200, { 'content-length': tarball.length });
			response.write(tarball.subarray(0, 10));
		} else {
			response.end(tarball);
		}
	});
	const describe = ({ name, versions, ...rest }: Published) => ({
		name,
		'dist-tags': { latest: versions.at(-1) },
		versions: Object.fromEntries(
			versions.map((version) => [
				version,
				{
					...readManifest(rest),
					name,
					version,
					dist: { tarball: `${registry.url}${name}/-/${name}-${version}.tgz` },
				},
			]),
		),
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const registry: Registry = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
		downloads: [],
		stall: 0,
		whenAsked: async () => await new Promise((resolve) => waiting.push(resolve)),
		async close() {
			server.closeAllConnections();
			await new Promise((closed) => void server.close(closed));
			rmSync(folder, { recursive: true, force: true });
		},
	};
	return registry;
}

function pack(folder: string, published: Published, version: string): Buffer {
	const { name, folder: source, files = {} } = published;
	const content = join(folder, `${name}-${version}`, 'package');
	mkdirSync(content, { recursive: true });
	if (source) cpSync(source, content, { recursive: true });
	const manifest = { ...readManifest(published), name, version };
	writeFileSync(join(content, 'package.json'), JSON.stringify(manifest));
	for (const [file, text] of Object.entries(files)) writeFileSync(join(content, file), text);
	execFileSync('tar', ['-czf', 'packed.tgz', 'package'], { cwd: join(content, '..') });
	return readFileSync(join(content, '..', 'packed.tgz'));
}

function readManifest({ folder, manifest = {} }: Omit<Published, 'name' | 'versions'>): object {
	if (folder === undefined) return manifest;
	return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
}

function sendJson(response: ServerResponse, body: object): void {
	response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}
