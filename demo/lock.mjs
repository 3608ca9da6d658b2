import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const HEARTBEAT_MS = 5_000;
const SILENT_MS = 60_000;

/**
 * Takes a lock file for this process, or tells who holds it.
 *
 * @param {string} file
 * @param {Record<string, unknown>} note what to tell another process that comes later
 * @returns {{ release(): void } | { holder: Record<string, unknown> & { pid: number } }}
 */
export function takeLock(file, note = {}) {
	mkdirSync(path.dirname(file), { recursive: true });
	for (;;) {
		try {
			writeFileSync(file, JSON.stringify({ ...note, pid: process.pid }), { flag: 'wx' });
			break;
		} catch (error) {
			if (error.code !== 'EEXIST') throw error;
			const holder = livingHolder(file);
			if (holder) return { holder };
			rmSync(file, { force: true });
		}
	}
	const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS);
	heartbeat.unref();
	const release = () => {
		clearInterval(heartbeat);
		process.off('exit', release);
		rmSync(file, { force: true });
	};
	process.once('exit', release);
	return { release };
}

/**
 * A process id alone is not proof: after a crash the system may have given it to another
 * program. So the holder also has to have touched its file lately.
 */
function livingHolder(file) {
	try {
		const holder = JSON.parse(readFileSync(file, 'utf8'));
		if (Date.now() - statSync(file).mtimeMs > SILENT_MS) return undefined;
		process.kill(holder.pid, 0);
		return holder;
	} catch (error) {
		if (error.code === 'EPERM') return JSON.parse(readFileSync(file, 'utf8'));
		return undefined;
	}
}

function touch(file) {
	try {
		const now = new Date();
		utimesSync(file, now, now);
	} catch {
		// Someone removed the folder by hand: the demo goes on without its lock.
	}
}
