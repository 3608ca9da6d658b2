import { getMode, openPoints as points, type OpenPoint } from '../../ask/openPoints';

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
		'The service\'s specification says "not shown" in many places. This page lists what is undocumented, what the node does, and how to change it.',
		'`npm run ask` asks the service itself: it observes the points marked so below, says which of them differ from what the node assumes, and writes a page to share. [CONTRIBUTING.md](../CONTRIBUTING.md#asking-the-service) describes it.',
		'Generated from `ask/openPoints.ts` by `npm run docs`.',
		...[...groups].flatMap((group) => [
			`## ${group}`,
			points
				.filter((point) => point.group === group)
				.map(describePoint)
				.join('\n'),
		]),
	];
	return `${sections.join('\n\n')}\n`;
}

function describePoint({ title, undocumented, node, setting, observer }: OpenPoint): string {
	const texts = [
		`- **${title}.** Undocumented: ${undocumented} The node ${node}`,
		setting && `_To change it:_ ${setting}`,
		observer && `_To observe it:_ ${OBSERVED_BY[getMode(observer)]}.`,
	];
	return texts.filter(Boolean).join(' ');
}
