'use strict';
const { runEntry } = require('../scripts/entry');
const { parseArgs } = require('node:util');

const { installN8n, installProject } = require('../scripts/install');
const { UserError } = require('../scripts/userError');

const PARTS = ['items', 'lists', 'files', 'growth', 'package', 'limits'];

const HELP = `npm run bench [-- PART … [options]]

Measures the node beside n8n's HTTP Request node and a plain fetch loop, in a real n8n.
Parts: ${PARTS.join(', ')}; all of them by default. A complete run takes about half
an hour on two cores and writes docs/performance.md, with its plots and medians. The part
limits, about 20 minutes, writes its section also when it runs alone.

  --quick      fewer rounds and smaller cases, 2 to 6 minutes; writes nothing
  --package F  measures this tarball instead of the sources, to compare; writes nothing
  --help       this text
`;

/** npm run bench: installs what is missing, then measures. */
void runEntry(async (args, signal) => {
	const options = parseOptions(args);
	if (options.help) {
		process.stdout.write(HELP);
		return;
	}
	await installProject(signal);
	await installN8n({ signal });
	// Only now is the TypeScript loader installed.
	await require('tsx/cjs/api').require('./main.ts', __filename).runBench(options, signal);
});

/**
 * Reads the command line; an invalid one is refused before any work starts.
 *
 * @param {string[]} args
 */
function parseOptions(args) {
	const { values, positionals } = parseValues(args);
	const unknown = positionals.filter((part) => !PARTS.includes(part));
	if (unknown.length > 0) throw new UserError(`Unknown part: ${unknown.join(', ')}.`, HELP);
	return { ...values, parts: positionals.length > 0 ? positionals : PARTS };
}

/** @param {string[]} args */
function parseValues(args) {
	try {
		return parseArgs({
			args,
			allowPositionals: true,
			options: {
				quick: { type: 'boolean', default: false },
				package: { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		});
	} catch (error) {
		throw new UserError(/** @type {Error} */ (error).message, HELP);
	}
}
