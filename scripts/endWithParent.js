'use strict';
// Loaded into a program with --require. The channel to the process that started it closes when
// that process requests the shutdown, and also when it is killed before it can. On Windows, which
// has no signals, this is the only way to shut down cleanly.
const shutdownMs = Number(process.env.SHUTDOWN_MS);

process.on('disconnect', () => {
	if (shutdownMs === 0 || process.listenerCount('SIGTERM') === 0) end();
	process.emit('SIGTERM');
	setTimeout(end, shutdownMs).unref();
});
// The listener alone must not keep the program alive.
process.channel?.unref();

/** Ends this program and everything it started. */
function end() {
	try {
		if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL');
	} catch {
		// It is not the leader of a process group.
	}
	process.exit(1);
}
