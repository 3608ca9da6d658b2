'use strict';
const { readdirSync, realpathSync } = require('node:fs');
const path = require('node:path');

const { UserError } = require('./userError');

const DEFAULT_VERSION = '2.41.1';

const projectRoot = path.resolve(__dirname, '..');

/** The folder in which a version of n8n is installed, with its package.json and lock file. */
function n8nFolder(version = DEFAULT_VERSION) {
	return path.join(projectRoot, 'n8n', 'versions', version);
}

/** The versions of n8n that the node is tested with, oldest first, or those in N8N_VERSIONS. */
function n8nVersions() {
	const known = readdirSync(path.join(projectRoot, 'n8n', 'versions'));
	known.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
	return process.env.N8N_VERSIONS?.split(',') ?? known;
}

/**
 * Finds the Node.js 24 that n8n needs: the one npm installed next to it, or else the running one.
 *
 * @param {string} modules the node_modules folder n8n is in
 */
function findNode(modules) {
	const name = readdirSync(modules).find((entry) => /^node-(bin-)?\w+-(x|arm)64$/.test(entry));
	if (name) return path.join(modules, name, 'bin', 'node');
	if (process.versions.node.startsWith('24.')) return process.execPath;
	throw new UserError(
		'n8n needs Node.js 24, and npm has none for this machine.',
		'Install Node.js 24 from https://nodejs.org, and start again with it.',
	);
}

/** Finds the script of the npm that came with Node.js, to run with Node. */
function findNpm() {
	return realpathSync(path.join(path.dirname(process.execPath), 'npm'));
}

module.exports = { DEFAULT_VERSION, findNode, findNpm, n8nFolder, n8nVersions, projectRoot };
