/** What to call when a signal is aborted, and the listener that does so. */
const listeners = new WeakMap<AbortSignal, { callbacks: Set<() => void>; callAll: () => void }>();

/**
 * Calls `callback` when `signal` is aborted. One listener serves all callbacks of a signal: Node.js
 * warns of a leak above ten. It is removed with the last of them: Node.js 20 would keep a signal of
 * `AbortSignal.any` in memory forever.
 *
 * @returns a function that removes the callback
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	let listener = listeners.get(signal);
	if (!listener) {
		const callbacks = new Set<() => void>();
		listener = { callbacks, callAll: () => callbacks.forEach((call) => call()) };
		listeners.set(signal, listener);
		signal.addEventListener('abort', listener.callAll);
	}
	const { callbacks, callAll } = listener;
	callbacks.add(callback);
	return () => {
		callbacks.delete(callback);
		if (callbacks.size > 0) return;
		signal.removeEventListener('abort', callAll);
		listeners.delete(signal);
	};
}
