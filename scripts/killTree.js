'use strict';
const { spawnSync } = require('node:child_process');

/**
 * Sends a signal to a child and everything it started. Except on Windows, which has neither
 * process groups nor signals, the child must have been spawned detached.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function killTree(child, signal) {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	if (process.platform === 'win32') {
		spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
		return;
	}
	try {
		process.kill(-child.pid, signal);
	} catch (error) {
		// The child may have exited in the meantime.
		if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
	}
}

module.exports = { killTree };
