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
	return distinct.map(({ id }, index) => ({ name: names[index]!, value: id }));
}

/**
 * What is selected becomes part of the workflow, so a text of the service that n8n would evaluate as
 * an expression, because it begins with "=", is not offered, and neither is one with control
 * characters. A record without an ID cannot be selected.
 */
export function isSelectable({ id, labels }: Pick<Described, 'id' | 'labels'>): boolean {
	return id !== '' && [id, ...labels].every((text) => /^(?!=)\P{Cc}*$/u.test(text));
}

interface Entry {
	name: string;
	value: string;
}
