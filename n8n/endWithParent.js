'use strict';
// Loaded into a program with --require. The channel to the process that started it closes when
// that process requests the shutdown, and also when it is killed before it can.
const shutdownMs = Number(process.env.SHUTDOWN_MS);

process.on('disconnect', () => {
	if (shutdownMs === 0 || !process.emit('SIGTERM')) endGroup();
	setTimeout(endGroup, shutdownMs).unref();
});
// The listener alone must not keep the program alive.
process.channel?.unref();

/** Ends this program and everything it started. */
function endGroup() {
	process.kill(-process.pid, 'SIGKILL');
}
