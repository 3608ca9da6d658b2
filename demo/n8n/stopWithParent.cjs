'use strict';
// Loaded into n8n before anything else. The channel to the process that started n8n closes when
// that process asks for the end, and also when it dies without a chance to ask. It is the one
// way to a clean end on Windows, where a signal would kill n8n in the middle of a write.
const PATIENCE_MS = 15_000;

process.on('disconnect', () => {
	if (process.listenerCount('SIGTERM') > 0) process.emit('SIGTERM');
	else process.exit();
	setTimeout(() => process.exit(1), PATIENCE_MS).unref();
});
