'use strict';
const path = require('node:path');
const { parseArgs } = require('node:util');

const { projectRoot } = require('./n8nFolder');
const { UserError } = require('./userError');

/** The last port that leaves room for the four ports after it. */
const HIGHEST_PORT = 65_531;

const HELP = `npm start [-- options]

Starts a real n8n with this node in it, next to a stand-in for the service, and prints the
address that opens the editor. Ctrl-C stops both. The first start installs what is missing.

  --port N      port of n8n (default 5678); N+1 to N+4 are used as well: task broker,
                stand-in, stand-in's files, language model of the examples
  --folder DIR  where workflows, credentials and executions are kept (default .demo)
  --fresh       forget what is kept there and start from scratch; n8n stays installed
  --watch       put each saved change of the node into the running n8n (npm run dev)
  --check       no editor: run every example workflow once in a fresh n8n, then end
  --help        this text
`;

const DEFAULT_FOLDER = path.join(projectRoot, '.demo');

const flag = /** @type {const} */ ({ type: 'boolean', default: false });
const OPTIONS = /** @type {const} */ ({
	port: { type: 'string', default: '5678' },
	folder: { type: 'string', default: DEFAULT_FOLDER },
	fresh: flag,
	watch: flag,
	check: flag,
	help: flag,
});

/** @typedef {ReturnType<typeof parseOptions>} StartOptions */

/**
 * Refuses options that npm took for its own, because the "--" before them was missing.
 *
 * @param {object} known the options of the command, by name
 * @param {string} command such as npm start
 * @param {NodeJS.ProcessEnv} env
 */
function requireSeparator(known, command, env) {
	const names = Object.keys(known).filter((name) => env[`npm_config_${name.replace('-', '_')}`]);
	if (names.length === 0) return;
	const taken = names.map((name) => `--${name}`).join(' ');
	throw new UserError(
		`npm took ${taken} for an option of its own.`,
		`Put -- before it: ${command} -- ${taken}`,
	);
}

/**
 * Reads the command line; an invalid one is refused before any work starts.
 *
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function parseOptions(args, env = process.env) {
	const command = env.npm_lifecycle_event === 'dev' ? 'npm run dev' : 'npm start';
	requireSeparator(OPTIONS, command, env);
	try {
		const { port, folder, ...flags } = parseArgs({ args, options: OPTIONS }).values;
		if (!/^\d+$/.test(port) || Number(port) < 1024 || Number(port) > HIGHEST_PORT) {
			throw new Error(`--port ${port} is not a whole number from 1024 to ${HIGHEST_PORT}.`);
		}
		return { ...flags, port: Number(port), folder: path.resolve(folder) };
	} catch (error) {
		const { message } = /** @type {Error} */ (error);
		throw new UserError(message, 'npm start -- --help lists the options.');
	}
}

module.exports = { DEFAULT_FOLDER, HELP, parseOptions };
