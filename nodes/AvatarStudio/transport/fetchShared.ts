import type { Item } from './item';
import { CREDENTIAL_TYPE } from './request/credential';

/**
 * Fetches what all items of a node run need, such as a whole list, once for each account: the
 * credential's fields may be expressions that differ from item to item.
 *
 * @param name distinguishes what is fetched
 * @param fetch called again by a later item only if it failed before
 */
export async function fetchShared<T>(
	{ context, shared }: Item,
	name: string,
	fetch: () => Promise<T>,
): Promise<T> {
	const { baseUrl, apiKey } = await context.getCredentials(CREDENTIAL_TYPE);
	const key = JSON.stringify([name, baseUrl, apiKey]);
	const pending = shared.get(key) ?? fetch();
	shared.set(key, pending);
	pending.catch(() => shared.delete(key));
	return (await pending) as T;
}
