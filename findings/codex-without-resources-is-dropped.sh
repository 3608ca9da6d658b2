#!/bin/sh
# n8n drops the whole codex file of a node, with its categories and aliases, if it has no `resources`.
# Seen: with `resources: {}` the node has its aliases; without, it has no codex.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { core, observe } = require('./engine.cjs');

const NODE = `
exports.Studio = class {
	description = {
		displayName: 'Studio', name: 'studio', group: ['transform'], version: 1, description: '',
		defaults: { name: 'Studio' }, inputs: ['main'], outputs: ['main'], properties: [],
	};
};`;

async function loadCodex(name, codex) {
	const folder = path.resolve(name);
	mkdirSync(folder, { recursive: true });
	const n8n = { n8nNodesApiVersion: 1, nodes: ['Studio.node.js'], credentials: [] };
	const manifest = { name: 'n8n-nodes-studio', version: '1.0.0', n8n };
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
	writeFileSync(path.join(folder, 'Studio.node.js'), NODE);
	writeFileSync(path.join(folder, 'Studio.node.json'), JSON.stringify(codex));
	const loader = new core.PackageDirectoryLoader(folder);
	await loader.loadAll();
	return loader.getNode('studio').type.description.codex;
}

const codex = { categories: ['Marketing'], alias: ['avatar'] };
observe(
	async () => ({
		with: (await loadCodex('with', { ...codex, resources: {} })).alias,
		without: await loadCodex('without', codex),
	}),
	{ with: ['avatar'], without: undefined },
);
EOF
