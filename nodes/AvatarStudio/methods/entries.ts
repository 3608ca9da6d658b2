import { getListLabels, labelDistinctly, type Described } from '../resources/names';

/**
 * Builds the entries of a list that the user selects from.
 *
 * @param choices those that `isSelectable` excludes are left out
 */
export function toEntries(choices: Pick<Described, 'id' | 'labels'>[]): Entry[] {
	const offered = choices.filter(isSelectable);
	const distinct = [...new Map(offered.map((choice) => [choice.id, choice])).values()];
	const names = labelDistinctly(distinct.map(getListLabels));
	// n8n would evaluate a name as an expression, too.
	return distinct.map(({ id }, index) => ({
		name: names[index]!.replace(/^[=\s]+/, '') || id,
		value: id,
	}));
}

/**
 * What is selected becomes part of the workflow, so an ID that n8n would evaluate as an expression,
 * because it begins with "=", is not offered, and neither is one with control characters. A record
 * without an ID cannot be selected.
 */
export function isSelectable({ id }: Pick<Described, 'id'>): boolean {
	return /^(?!=)\P{Cc}+$/u.test(id);
}

interface Entry {
	name: string;
	value: string;
}
