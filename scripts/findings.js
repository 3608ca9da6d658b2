'use strict';
const { spawnSync } = require('node:child_process');
const { mkdtempSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { projectRoot } = require('./n8nFolder');
const { printError, UserError } = require('./userError');

// node scripts/findings.js [NAME …]: runs the findings, or those named, and prints what changed.

const FOLDER = path.join(projectRoot, 'findings');

/** @returns the names of the findings to run */
function selectFindings() {
	const all = readdirSync(FOLDER)
		.filter((file) => file.endsWith('.sh'))
		.map((file) => path.basename(file, '.sh'));
	const wanted = process.argv.slice(2).map((name) => path.basename(name, '.sh'));
	const unknown = wanted.filter((name) => !all.includes(name));
	if (unknown.length > 0) {
		throw new UserError(
			`There is no finding ${unknown.join(', ')}.`,
			`There are ${all.join(', ')}.`,
		);
	}
	return wanted.length > 0 ? wanted : all;
}

/**
 * @param {string} name
 * @param {string} packages the folder of what several findings install
 * @returns {boolean} whether it still holds; if it does not, what it printed says why
 */
function run(name, packages) {
	const env = { ...process.env, FINDINGS_PACKAGES: packages };
	const script = path.join(FOLDER, `${name}.sh`);
	const { status, stdout, stderr } = spawnSync('sh', [script], { env, encoding: 'utf8' });
	const holds = status === 0;
	process.stdout.write(holds ? `holds    ${name}\n` : `CHANGED  ${name}\n${stdout}${stderr}\n`);
	return holds;
}

try {
	const names = selectFindings();
	const packages = mkdtempSync(path.join(tmpdir(), 'avatar-studio-findings-'));
	try {
		const changed = names.filter((name) => !run(name, packages)).length;
		process.stdout.write(`${names.length - changed} hold, ${changed} changed\n`);
		if (changed > 0) process.exitCode = 1;
	} finally {
		rmSync(packages, { recursive: true, force: true });
	}
} catch (error) {
	printError(error);
	process.exitCode = 1;
}
