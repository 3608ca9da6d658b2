/** What to call when a signal is aborted. */
const callbacks = new WeakMap<EventTarget, Set<() => void>>();

/**
 * Calls `callback` when `signal` is aborted. One listener serves all callbacks of a signal: Node.js
 * warns of a leak above ten. It is removed with the last of them: Node.js 20 would keep a signal of
 * `AbortSignal.any` in memory forever.
 *
 * @returns a function that removes the callback
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
	const own = callbacks.get(signal) ?? new Set();
	callbacks.set(signal, own.add(callback));
	// A listener that is there already is not added again.
	signal.addEventListener('abort', callAll);
	return () => {
		own.delete(callback);
		if (own.size > 0) return;
		signal.removeEventListener('abort', callAll);
		callbacks.delete(signal);
	};
}

function callAll({ target }: Event): void {
	callbacks.get(target!)?.forEach((call) => call());
}
