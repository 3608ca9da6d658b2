'use strict';
const { runNode } = require('./childProcess');
const { createProgramError } = require('./userError');

/**
 * Runs one step of an install, a Node program, with a progress line.
 *
 * @param {object} step
 * @param {string} step.title description of the step for the progress line
 * @param {() => string} [step.progress] current progress
 * @param {string} step.hint what to do if it fails
 * @param {string[]} step.args a script and its arguments
 * @param {string} step.cwd
 * @param {string} [step.node] the Node to run it on, if not this one
 * @param {NodeJS.ProcessEnv} [step.env]
 * @param {AbortSignal} step.signal
 * @throws {import('./userError').UserError} with the last lines it printed, if it does not succeed
 */
async function runStep({ title, progress = () => '', hint, args, ...options }) {
	const startedAt = Date.now();
	const { isTTY } = process.stdout;
	const show = (/** @type {string} */ state, end = '') => {
		const seconds = `${Math.round((Date.now() - startedAt) / 1000)} s`;
		const line = `  ${title}: ${state ? `${state}, ${seconds}` : seconds}`;
		process.stdout.write(isTTY ? `\r${line}\u001b[K${end}` : `${line}\n`);
	};
	show('started');
	const timer = setInterval(() => show(progress()), isTTY ? 1_000 : 15_000);
	let outcome = 'interrupted';
	try {
		const { code, output } = await runNode(args, options);
		outcome = code === 0 ? 'done' : 'failed';
		if (code !== 0) throw createProgramError(title, output, hint);
	} finally {
		clearInterval(timer);
		show(outcome, '\n');
	}
}

module.exports = { runStep };
