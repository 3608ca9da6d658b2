/** For how long what was learned of a list counts: what a single fault has taught ends by itself. */
const LEARNED_FOR_MS = 3_600_000;
/** More than any n8n was seen to use; each takes about 0.2 kB. */
const MAX_LISTS = 1_000;

/** How the pages of a list are requested. */
interface LearnedPages {
	firstNumber: number;
	/** The size that the service made us go down to; Infinity if it rejected none. */
	maxSize: number;
	/** By the clock of `performance.now()`. Confirming it does not renew it. */
	learnedAt: number;
}

/** What earlier reads of a list tell the next one, which then need not find it out again. */
export class KnownList {
	/** How many records the last read to the end found. Only how far to read ahead depends on it. */
	count = Infinity;
	private learned?: LearnedPages;

	get pages(): LearnedPages | undefined {
		const ageMs = performance.now() - (this.learned?.learnedAt ?? -Infinity);
		return ageMs < LEARNED_FOR_MS ? this.learned : undefined;
	}

	learnPages(firstNumber: number, maxSize: number): void {
		this.learned = { firstNumber, maxSize, learnedAt: performance.now() };
	}

	forget(): void {
		this.learned = undefined;
		this.count = Infinity;
	}
}

/** The lists that the executions, polls and pickers of an n8n process have read. */
const lists = new Map<string, KnownList>();

/** @param key what tells a list from others: its account, its URL, and from where it is read */
export function getKnownList(key: string): KnownList {
	// A read in progress keeps the list it has, so forgetting all costs a few requests.
	if (lists.size >= MAX_LISTS && !lists.has(key)) lists.clear();
	const list = lists.get(key) ?? new KnownList();
	lists.set(key, list);
	return list;
}

/** For tests only: forgets all that was learned, as a restart of n8n does. */
export function forgetLists(): void {
	lists.clear();
}
