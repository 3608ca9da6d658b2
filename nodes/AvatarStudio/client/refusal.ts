/**
 * Whether a response says "not now". Web servers say 503 as well when there are too many requests,
 * but a creation may exist then.
 */
export function isRefusal(method: string, status: number | undefined): boolean {
	return status === 429 || (status === 503 && method !== 'POST');
}
