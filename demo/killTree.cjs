'use strict';
const { spawnSync } = require('node:child_process');

/**
 * Ends a program with all it started. It must have been started detached, except on Windows,
 * where there are no process groups, and no signal to ask with.
 */
exports.killTree = (child, signal) => {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	if (process.platform === 'win32') {
		spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
		return;
	}
	try {
		process.kill(-child.pid, signal);
	} catch (error) {
		// It ended in between.
		if (error.code !== 'ESRCH') throw error;
	}
};
