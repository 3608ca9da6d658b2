import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { n8nCommand } from '../../../n8n/installation';
import { startN8n, type N8n } from '../../../n8n/n8n';
import { packNode } from '../../../n8n/nodePackage';
import { findNpm } from '../../../scripts/n8nFolder';
import { startService, type Service } from '../../../service/service';
import { createSpeech as speechParameters } from '../../support/parameters';
import { startRegistry, type Registry } from '../../support/registry';
import { connectInOrder, RunningN8n, startByHand, STUDIO } from '../runningN8n';
import { n8nVersion } from '../servers';

// Installing under Settings → Community Nodes. Each test goes on where the one before has ended.

interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: { type: string }[];
}

const EARLIER = '0.0.1';

const folder = mkdtempSync(join(tmpdir(), 'avatar-studio-community-'));
let n8n: N8n;
let registry: Registry;
let service: Service;
let name: string;
let version: string;
let workflowId: string;

beforeAll(async () => {
	const packed = await packNode();
	({ name, version } = packed);
	execFileSync('tar', ['-xzf', packed.tarball, '-C', folder]);
	const unpacked = join(folder, 'package');
	const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as object;
	const published = [EARLIER, version].map((each) => {
		return { manifest: { ...manifest, name, version: each }, folder: unpacked };
	});
	registry = await startRegistry(published);
	service = await startService({ asSpecified: true });
	const path = [writeNpm(), dirname(n8nCommand(n8nVersion())[0]), process.env.PATH];
	n8n = await startN8n({
		version: n8nVersion(),
		userFolder: join(folder, 'n8n'),
		nodePackage: null,
		env: { PATH: path.join(delimiter) },
	});
});

afterAll(async () => {
	await n8n?.stop();
	await service?.close();
	await registry?.close();
	rmSync(folder, { recursive: true, force: true });
});

/**
 * Writes a program "npm" that uses the local registry: n8n names the public one on the command line,
 * which overrides every setting, and needs a licence for another.
 *
 * @returns its folder
 */
function writeNpm(): string {
	const bin = join(folder, 'bin');
	const file = join(bin, 'npm');
	mkdirSync(bin);
	writeFileSync(
		file,
		`#!/bin/sh
for argument do
	shift
	case "$argument" in --registry=*) ;; *) set -- "$@" "$argument" ;; esac
done
exec '${process.execPath}' '${findNpm()}' "$@" --registry='${registry.url}'
`,
	);
	chmodSync(file, 0o755);
	return bin;
}

/** Installs the package, or upgrades it, as n8n's settings do. */
async function install(method: 'POST' | 'PATCH', wanted: string): Promise<InstalledPackage> {
	return await n8n.session.rest(method, '/community-packages', { name, version: wanted });
}

/** Runs the workflow and returns what the node created. */
async function speak() {
	const { status } = await n8n.session.runWorkflow(workflowId, startByHand.name);
	return { status, scripts: service.speeches.map(({ script }) => script) };
}

test('I install the package, and use its node without a restart', async () => {
	const installed = await install('POST', EARLIER);
	expect(installed).toMatchObject({ packageName: name, installedVersion: EARLIER });
	const types = installed.installedNodes.map(({ type }) => type);
	expect(types.sort()).toEqual([STUDIO, `${STUDIO}Trigger`]);
	expect(registry.downloads).toEqual([`${registry.url}/${name}/-/${name}-${EARLIER}.tgz`]);

	const running = Object.assign(new RunningN8n(), { session: n8n.session });
	const data = { baseUrl: service.url, apiKey: service.apiKey };
	running.account = await running.newAccount('avatarStudioApi', data);
	const speech = running.studio('Create speech', speechParameters({ script: 'Installed.' }));
	const parts = [startByHand, speech];
	workflowId = await running.newWorkflow('Saved before the upgrade', parts, connectInOrder(parts));
	expect(await speak()).toEqual({ status: 'success', scripts: ['Installed.'] });
});

test('I upgrade it, and saved workflows are intact', async () => {
	const getNodes = async () =>
		(await n8n.session.rest<{ nodes: object[] }>('GET', `/workflows/${workflowId}`)).nodes;
	const before = await getNodes();
	const upgraded = await install('PATCH', version);
	expect(upgraded).toMatchObject({ packageName: name, installedVersion: version });
	expect(await getNodes()).toEqual(before);
	expect(await speak()).toEqual({ status: 'success', scripts: ['Installed.', 'Installed.'] });
});
