/** How the service lists assets, as far as `openapi.yaml` leaves it open. */
export interface PaginationOptions {
	/** The number of the first page. Default 1. */
	firstPage?: 0 | 1;
	/** Response to page 0 if the first page is 1; a number is an error status. Default 'sameAsFirst'. */
	pageZero?: 'sameAsFirst' | 'empty' | number;
	/** Response to a page after the last one; a number is an error status. Default 'empty'. */
	pageBeyondLast?: 'empty' | 'last' | number;
	/** Response to every page of an empty list if it is an error status. Default: an empty page. */
	emptyList?: number;
	/** A larger PageSize is silently reduced to this one. Default 100. */
	maxPageSize?: number;
	/** A larger PageSize than this one is refused with `status`. */
	refusedAbove?: { pageSize: number; status: number };
	/** Pages that reach beyond this many records are refused with `status` even if there are more. */
	maxRecords?: { count: number; status: number };
	/** Whether every request gets the whole list. Default false. */
	ignored?: boolean;
	/** Which records come first. Default 'oldest'. */
	order?: 'oldest' | 'newest';
}

/** The records of a page, or the status and words of an error. */
export type Page<T> = { items: T[] } | { status: number; error: string };

export const DEFAULT_PAGE_SIZE = 20;

/** Cuts a page of a list as the options say. */
export function getPage<T>(
	list: T[],
	requested: { page?: string; pageSize?: string },
	pagination: PaginationOptions,
): Page<T> {
	const { emptyList, ignored = false, order = 'oldest' } = pagination;
	if (emptyList !== undefined && list.length === 0) {
		return { status: emptyList, error: 'There are no records.' };
	}
	const ordered = order === 'newest' ? [...list].reverse() : list;
	return ignored ? { items: ordered } : cutPage(ordered, requested, pagination);
}

function cutPage<T>(
	list: T[],
	requested: { page?: string; pageSize?: string },
	pagination: PaginationOptions,
): Page<T> {
	const {
		firstPage = 1,
		pageZero = 'sameAsFirst',
		pageBeyondLast = 'empty',
		maxPageSize = 100,
		refusedAbove,
		maxRecords,
	} = pagination;
	const page = Number(requested.page ?? firstPage);
	const pageSize = Number(requested.pageSize ?? DEFAULT_PAGE_SIZE);
	if (pageSize < 1) return { status: 400, error: 'PageSize must be 1 or more.' };
	if (refusedAbove && pageSize > refusedAbove.pageSize) {
		return { status: refusedAbove.status, error: 'PageSize is too large.' };
	}
	if (page < 0) return { status: 400, error: `Page must be ${firstPage} or more.` };
	const isPageZero = page < firstPage;
	if (isPageZero && pageZero === 'empty') return { items: [] };
	if (isPageZero && typeof pageZero === 'number') {
		return { status: pageZero, error: 'Page must be 1 or more.' };
	}

	const size = Math.min(pageSize, maxPageSize);
	const index = isPageZero ? 0 : page - firstPage;
	const last = Math.max(0, Math.ceil(list.length / size) - 1);
	if (maxRecords && (index + 1) * size > maxRecords.count) {
		return { status: maxRecords.status, error: `Only ${maxRecords.count} records can be read.` };
	}
	if (index > last && typeof pageBeyondLast === 'number') {
		return { status: pageBeyondLast, error: `There is no page ${page}.` };
	}
	const shown = index > last && pageBeyondLast === 'last' ? last : index;
	return { items: list.slice(shown * size, (shown + 1) * size) };
}
