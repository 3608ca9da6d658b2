import { spawn } from 'node:child_process';

/** Keeps one processor core busy until it is told to stop. */
export function keepCoreBusy(): { stop: () => void } {
	const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
	const stop = () => {
		process.off('exit', stop);
		child.kill('SIGKILL');
	};
	process.once('exit', stop);
	return { stop };
}
