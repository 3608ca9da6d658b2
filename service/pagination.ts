import type { PaginationOptions } from './options';

/** The records of one page, or why there is none. */
export type Page<T> = { items: T[] } | { error: string };

/** Cuts the page that a request asks for out of the list. */
export function getPage<T>(
	list: T[],
	asked: { page?: number; pageSize?: number },
	pagination: Required<PaginationOptions>,
): Page<T> {
	if (pagination.ignored) return { items: list };
	const size = Math.min(asked.pageSize ?? pagination.defaultPageSize, pagination.maxPageSize);
	if (size < 1) return { error: 'PageSize must be 1 or more.' };

	const page = asked.page ?? pagination.firstPage;
	if (page < 0) return { error: `Page must be ${pagination.firstPage} or more.` };
	const isPageZero = page === 0 && pagination.firstPage === 1;
	if (isPageZero && pagination.pageZero === 'error') return { error: 'Page must be 1 or more.' };
	if (isPageZero && pagination.pageZero === 'empty') return { items: [] };

	const last = Math.max(0, Math.ceil(list.length / size) - 1);
	const index = isPageZero ? 0 : page - pagination.firstPage;
	if (index > last && pagination.pageBeyondLast === 'error')
		return { error: `There is no page ${page}.` };
	const shown = index > last && pagination.pageBeyondLast === 'last' ? last : index;
	return { items: list.slice(shown * size, (shown + 1) * size) };
}

/** The list in another order, the same one for the same seed. */
export function shuffle<T>(list: T[], seed: number): T[] {
	const result = [...list];
	let state = seed;
	for (let end = result.length - 1; end > 0; end -= 1) {
		// Numerical Recipes' linear congruential generator: an order, not a secret.
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		const other = state % (end + 1);
		[result[end], result[other]] = [result[other]!, result[end]!];
	}
	return result;
}
