'use strict';
const { runEntry } = require('./entry');
const { createRequire } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const { installN8n, installProject } = require('./install');
const { projectRoot } = require('./n8nFolder');

/**
 * Runs a tool of this project after installing what is missing:
 * node scripts/run.js [--n8n] <tool> [arguments]
 */
void runEntry(async (args, signal) => {
	const needsN8n = args[0] === '--n8n';
	const [tool, ...rest] = needsN8n ? args.slice(1) : args;
	await installProject(signal);
	if (needsN8n) await installN8n({ signal });
	// In this process, so that whatever ends npm's child ends the tool.
	const script = findBinary(tool ?? '');
	process.argv = [process.execPath, script, ...rest];
	process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM').removeAllListeners('SIGHUP');
	await import(pathToFileURL(script).href);
});

/** @param {string} tool name of a program that a package of the project provides */
function findBinary(tool) {
	const require = createRequire(path.join(projectRoot, 'package.json'));
	const name = tool === 'tsc' ? 'typescript' : tool;
	const manifest = require.resolve(`${name}/package.json`);
	const { bin } = require(manifest);
	return path.join(path.dirname(manifest), typeof bin === 'string' ? bin : bin[tool]);
}
