import { openPoints, type OpenPoint } from '../../ask/openPoints';

const points: readonly OpenPoint[] = openPoints;

const OBSERVED_BY = {
	read: '`npm run ask`',
	write: '`npm run ask -- --write`',
	create: '`npm run ask -- --create`',
};

/** @returns docs/assumptions.md, built from the list of open points */
export function buildAssumptions(): string {
	const groups = new Set(points.map(({ group }) => group));
	const sections = [
		'# What the specification leaves open',
		'The service\'s specification says "not shown" in many places. This page lists what is undocumented, what the node does instead, and how to change it.',
		'`npm run ask` asks the service itself: it observes the points marked so below, says which of them differ from what the node assumes, and writes a page to share. [CONTRIBUTING.md](../CONTRIBUTING.md#asking-the-service) describes it.',
		'Generated from `ask/openPoints.ts` by `npm run docs`.',
		...[...groups].flatMap((group) => [
			`## ${group}`,
			...points.filter((point) => point.group === group).flatMap(describePoint),
		]),
	];
	return `${sections.join('\n\n')}\n`;
}

/** @returns README's table of the open points that a user can change */
export function buildOpenPointsTable(): string {
	const rows = points
		.filter(({ setting }) => setting)
		.map(
			({ title, undocumented, node, setting }) =>
				`| ${title}: ${undocumented} | ${capitalize(node)} | ${setting} |`,
		);
	return [
		'| The specification does not show | The node | If the service differs |',
		'| --- | --- | --- |',
		...rows,
	].join('\n');
}

function describePoint({ title, undocumented, node, details, setting, mode }: OpenPoint) {
	const lines = [
		`- **Undocumented:** ${undocumented}`,
		`- **The node** ${[node, details].filter(Boolean).join(' ')}`,
		...(setting ? [`- **To change it:** ${setting}`] : []),
		...(mode ? [`- **To observe it:** ${OBSERVED_BY[mode]}`] : []),
	];
	return [`### ${title}`, lines.join('\n')];
}

function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
