'use strict';
// Loaded into a program with --require. The channel to the process that started it closes when
// that process asks for the end, and also when it is killed without a chance to ask. On Windows,
// which has no signals, it is the only way to an orderly end.
const PATIENCE_MS = 15_000;

process.on('disconnect', () => {
	if (process.listenerCount('SIGTERM') === 0) end();
	process.emit('SIGTERM');
	setTimeout(end, PATIENCE_MS).unref();
});
// The listener alone must not keep the program alive.
process.channel?.unref();

/** Ends this program and all it started, if it leads a process group. */
function end() {
	try {
		if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL');
	} catch {
		// It leads none.
	}
	process.exit(1);
}
