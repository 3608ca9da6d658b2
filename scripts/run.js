'use strict';
const { runEntry } = require('./entry');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { parseArgs } = require('node:util');

const { install, installN8n, installProject } = require('./install');
const { DEFAULT_VERSION, n8nVersions, projectRoot } = require('./n8nFolder');

const N8N_HELP = `npm run test:n8n [-- a part of a file's path, such as trigger]

Runs the node in every supported version of n8n, on real servers, and in queue mode. Each version
takes 4 minutes and 3 GB to install, once.

  N8N_VERSIONS=2.41.1 npm run test:n8n      these versions only, separated by commas
  N8N_LOAD=0.1 npm run test:n8n             a tenth of the load
  npm run test:n8n -- trigger               one suite
`;

/**
 * Runs a tool or a file of this project after installing what is missing:
 * node scripts/run.js [--n8n | --every-n8n] [--packages=FOLDER] <tool or file> [arguments]
 */
void runEntry(async (args, signal) => {
	const at = args.findIndex((arg) => !arg.startsWith('--'));
	const [target = '', ...rest] = args.slice(at);
	const { values } = parseArgs({
		args: args.slice(0, at),
		options: {
			n8n: { type: 'boolean' },
			'every-n8n': { type: 'boolean' },
			packages: { type: 'string' },
		},
	});
	if (values['every-n8n'] && rest.includes('--help')) {
		process.stdout.write(N8N_HELP);
		return;
	}
	// A tool of this project never runs in production, whatever else this shell is used for.
	delete process.env.NODE_ENV;
	const versions = values['every-n8n'] ? n8nVersions() : values.n8n ? [DEFAULT_VERSION] : [];
	await installProject(signal);
	for (const version of versions) await installN8n({ version, signal });
	if (values.packages) {
		const folder = path.join(projectRoot, values.packages);
		await install({ folder, title: `Installing ${values.packages}`, signal });
	}

	// In this process, because npm does not pass signals on to grandchildren.
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
	const file = path.extname(target) ? path.join(projectRoot, target) : findProgram(target);
	process.argv = [process.execPath, file, ...rest];
	if (target.endsWith('.ts')) require('tsx/cjs/api').require(file, __filename);
	else await import(pathToFileURL(file).href);
});

/** @param {string} name of a program provided by one of the project's packages */
function findProgram(name) {
	const folder = path.join(projectRoot, 'node_modules', name === 'tsc' ? 'typescript' : name);
	const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
	return path.join(folder, typeof bin === 'string' ? bin : bin[name]);
}
