import type { CaseResult, Results } from './results';

/** A figure that must stay below a limit. */
export interface Target {
	title: string;
	limit: number;
	/** The worst of the cases it speaks of. */
	value: number;
	/** Which one that is. */
	worst: string;
	/** How many of the cases stay below it, such as "3 of 4". */
	cases: string;
	met: boolean;
}

/** Judges a run by what it was to reach; parts that were not measured have no targets. */
export function judge({
	items,
	lists,
	files,
	growth,
	package: figures,
}: Omit<Results, 'targets'>): Target[] {
	const many = [...items, ...growth.items].filter(({ size }) => size >= 100);
	const all = [...items, ...lists, ...files, ...growth.items, ...growth.pages];
	const cpu = ({ ratios }: CaseResult) => ratios.cpuMs.median;
	const wall = ({ ratios }: CaseResult) => ratios.wallMs.median;
	const memory = ({ ratios }: CaseResult) => ratios.grownRss!.median;
	const slow = lists.filter(({ latencyMs }) => latencyMs > 0);
	return [
		...worstOf('CPU per item, 100 items or more, to the HTTP Request node’s', 0.8, many, cpu),
		...worstOf('Wall time to the HTTP Request node’s', 1, all, wall),
		...worstOf('Lists with 50 ms latency, wall time to its', 0.4, slow, wall),
		...worstOf('Memory for the file to its', 0.3, files, memory),
		...(figures
			? [
					target('Unpacked package, kB', 100, figures.unpackedBytes / 1000),
					target('Source maps and build residue, files', 0, figures.residue.length),
					target('Loading the package, ms', 20, figures.loadMs.median),
				]
			: []),
	];
}

function worstOf(
	title: string,
	limit: number,
	results: CaseResult[],
	value: (result: CaseResult) => number,
): Target[] {
	const [worst] = [...results].sort((a, b) => value(b) - value(a));
	if (!worst) return [];
	const where = `${worst.title}, ${worst.size.toLocaleString('en')}, ${worst.latencyMs} ms`;
	const below = results.filter((result) => value(result) <= limit).length;
	const cases = `${below} of ${results.length}`;
	return [{ ...target(title, limit, value(worst)), worst: where, cases }];
}

function target(title: string, limit: number, value: number): Target {
	return { title, limit, value, worst: '', cases: '', met: value <= limit };
}
