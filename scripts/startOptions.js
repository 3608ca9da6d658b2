'use strict';
const path = require('node:path');
const { parseArgs } = require('node:util');

const { projectRoot } = require('./n8nFolder');
const { UserError } = require('./userError');

const HELP = `npm start [-- options]

Starts a real n8n with this node in it, next to a stand-in for the service, and prints the
address that opens the editor. Ctrl-C stops both. The first start installs what is missing.

  --port N           port of n8n (default 5678); N+1 to N+4 are used as well: task broker,
                     stand-in, stand-in's files, login page
  --service-port N   port of the stand-in (N+1 serves its files)
  --folder DIR       where workflows, credentials and executions are kept (default .demo)
  --fresh            forget what is kept there and start from scratch; n8n stays installed
  --watch            put each saved change of the node into the running n8n (npm run dev)
  --check            no editor: run every example workflow once in a fresh n8n, then end
  --prebuilt-sqlite  when n8n is installed, download its database driver ready-made instead of
                     building it here (needs no compiler, but leaves the npm registry)
  --help             this text
`;

/** @typedef {ReturnType<typeof parseOptions>} StartOptions */

/**
 * Reads the command line; an invalid one is refused before any work starts.
 *
 * @param {string[]} args
 */
function parseOptions(args) {
	const values = parseValues(args);
	const port = parsePort('--port', values.port, 4);
	const servicePort =
		values['service-port'] === undefined
			? port + 2
			: parsePort('--service-port', values['service-port'], 1);
	const taken = [port, port + 1, port + 4];
	if (taken.includes(servicePort) || taken.includes(servicePort + 1)) {
		throw new UserError(
			`--service-port ${servicePort} overlaps with the ports of n8n (${taken.join(', ')}).`,
			`Choose one further away, for example --service-port ${port + 10}.`,
		);
	}
	return {
		port,
		servicePort,
		folder: path.resolve(values.folder),
		fresh: values.fresh,
		watch: values.watch,
		check: values.check,
		prebuiltSqlite: values['prebuilt-sqlite'],
		help: values.help,
	};
}

/** @param {string[]} args */
function parseValues(args) {
	try {
		return parseArgs({
			args,
			options: {
				port: { type: 'string', default: '5678' },
				'service-port': { type: 'string' },
				folder: { type: 'string', default: path.join(projectRoot, '.demo') },
				fresh: { type: 'boolean', default: false },
				watch: { type: 'boolean', default: false },
				check: { type: 'boolean', default: false },
				'prebuilt-sqlite': { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		const { message } = /** @type {Error} */ (error);
		throw new UserError(message, 'npm start -- --help lists the options.');
	}
}

/**
 * @param {string} option
 * @param {string} text
 * @param {number} further how many ports after it are used as well
 */
function parsePort(option, text, further) {
	const port = Number(text);
	const highest = 65535 - further;
	if (!/^\d+$/.test(text) || port < 1024 || port > highest) {
		throw new UserError(
			`${option} ${text} is not a port that can be used.`,
			`Give a whole number from 1024 to ${highest}.`,
		);
	}
	return port;
}

module.exports = { HELP, parseOptions };
