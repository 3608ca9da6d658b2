import { bugs } from '../package.json';

import type { Observation, Reason } from './observation';
import { openPoints, type Mode, type OpenPoint, type PointId } from './openPoints';

/** What is stored as JSON, to be compared with a later report. */
export interface Report {
	/** Changes if the meaning of the other fields does. */
	format: 1;
	/** Tells whether two reports are of the same base URL and API key. */
	account: string;
	/** ISO date. */
	observedAt: string;
	modes: Mode[];
	points: Partial<Record<PointId, Observation | (Reason & { last?: EarlierObservation })>>;
	changes: Change[];
	/** ISO date of the report it was compared with. */
	comparedWith?: string;
}

interface EarlierObservation {
	observed: string;
	observedAt: string;
}

interface Change {
	id: PointId;
	before: string;
	/** ISO date of the report that observed it, which may be older than the one compared with. */
	beforeAt: string;
	after: string;
}

const points: readonly (OpenPoint & { id: PointId })[] = openPoints;

/**
 * Compares observations with an earlier report. A point that was not observed this time keeps its
 * earlier observation, so that a run without `--create` does not forget one with it.
 */
export function createReport(
	observations: Record<PointId, Observation | Reason>,
	run: Pick<Report, 'account' | 'modes' | 'observedAt'>,
	earlier?: Report,
): Report {
	const report: Report = { format: 1, ...run, points: {}, changes: [] };
	if (earlier) report.comparedWith = earlier.observedAt;
	for (const { id } of points) {
		const now = observations[id];
		const last = findLast(id, earlier);
		report.points[id] = 'observed' in now || !last ? now : { ...now, last };
		if (last && 'observed' in now && now.observed !== last.observed) {
			const { observed: before, observedAt: beforeAt } = last;
			report.changes.push({ id, before, beforeAt, after: now.observed });
		}
	}
	return report;
}

/** @returns a report as JSON holds it; undefined if the text is none */
export function parseReport(text: string): Report | undefined {
	try {
		const report = JSON.parse(text) as Report | null;
		return report?.format === 1 ? report : undefined;
	} catch {
		return undefined;
	}
}

/** @returns one sentence per kind of result */
export function summarize({ points: results, changes, comparedWith }: Report): string[] {
	const observed = Object.values(results).filter((result) => 'observed' in result);
	const observable = points.filter(({ mode }) => mode !== undefined);
	const differing = observed.filter(({ differs }) => differs);
	const isEmpty = observed.length === 0;
	const fit =
		differing.length === 0
			? 'None of them differs from what the node assumes.'
			: `Different from what the node assumes: ${differing.length}.`;
	const changed = isEmpty ? 'unknown, as nothing was observed' : changes.length || 'nothing';
	return [
		`${observed.length} of the ${observable.length} open points that requests can answer were observed.`,
		...(isEmpty ? [] : [fit]),
		comparedWith === undefined
			? 'There is no earlier report to compare with.'
			: `Changed since the report of ${formatDate(comparedWith)}: ${changed}.`,
	];
}

/** @returns the page to share, as Markdown */
export function formatPage(report: Report): string {
	const { observedAt, modes, changes, comparedWith } = report;
	const options = modes.filter((mode) => mode !== 'read').map((mode) => ` --${mode}`);
	const command = `npm run ask${options.length > 0 ? ' --' : ''}${options.join('')}`;
	const groups = [...new Set(points.map(({ group }) => group))];
	const sections = [
		'# What the service does where its specification is silent',
		`Observed on ${formatDate(observedAt)} by \`${command}\` of n8n-nodes-avatar-studio. This page contains no API key, and no names, IDs or addresses of the account, so it can be shared: please attach it to an issue at <${bugs.url}>.`,
		summarize(report)
			.map((line) => `- ${line}`)
			.join('\n'),
		...formatDifferences(report),
		...(changes.length === 0 ? [] : formatChanges(changes, formatDate(comparedWith!))),
		...groups.flatMap((group) => {
			const observed = points
				.filter((point) => point.group === group)
				.flatMap((point) => formatObservation(point, report));
			return observed.length === 0 ? [] : [`## ${group}`, ...observed];
		}),
		...formatUnobserved(report),
	];
	return `${sections.join('\n\n')}\n`;
}

function formatDifferences({ points: results }: Report): string[] {
	const rows = points.flatMap(({ id, title, node, setting = 'None: please open an issue.' }) => {
		const result = results[id]!;
		if (!('observed' in result) || !result.differs) return [];
		return `| ${[title, result.observed, `The node ${node}`, setting].map(formatCell).join(' | ')} |`;
	});
	if (rows.length === 0) return [];
	const table = ['| Point | Observed | Assumed | Setting to change |', '| --- | --- | --- | --- |'];
	return ['## Different from what the node assumes', [...table, ...rows].join('\n')];
}

function formatChanges(changes: Change[], since: string): string[] {
	const rows = changes.map(
		({ id, before, beforeAt, after }) =>
			`| ${[points.find((point) => point.id === id)!.title, `${before} (${formatDate(beforeAt)})`, after].map(formatCell).join(' | ')} |`,
	);
	const table = ['| Point | Before | Now |', '| --- | --- | --- |'];
	return [`## Changed since ${since}`, [...table, ...rows].join('\n')];
}

function formatObservation(point: OpenPoint & { id: PointId }, { points: results }: Report) {
	const { id, title, operations, undocumented, node, setting } = point;
	const result = results[id]!;
	if (!('observed' in result)) return [];
	const { observed, differs, evidence } = result;
	const verdict = differs
		? `**This differs.** ${setting ? `Change: ${setting}` : ''}`
		: 'This fits.';
	return [
		`### ${title}`,
		[
			`- **Undocumented** (${operations.join(', ')}): ${undocumented}`,
			`- **Observed:** ${observed}`,
			`- **The node** ${node} ${verdict}`.trim(),
		].join('\n'),
		`<details><summary>Evidence</summary>\n\n\`\`\`text\n${[...new Set(evidence)].join('\n')}\n\`\`\`\n\n</details>`,
	];
}

function formatUnobserved({ points: results }: Report): string[] {
	const lines = points.flatMap(({ id, title, undocumented, mode }) => {
		const result = results[id]!;
		if ('observed' in result || mode === undefined) return [];
		const { notObserved, last } = result;
		const earlier = last
			? ` Last observed on ${formatDate(last.observedAt)}: ${last.observed}`
			: '';
		return `- **${title}**: ${undocumented} Not observed: ${notObserved}.${earlier}`;
	});
	const others = points
		.filter(({ mode }) => mode === undefined)
		.map(({ title, undocumented }) => `- **${title}**: ${undocumented}`);
	return [
		...(lines.length === 0 ? [] : ['## Not observed', lines.join('\n')]),
		'## What no request can answer',
		'Only the documentation of the service can.',
		others.join('\n'),
	];
}

function findLast(id: PointId, earlier: Report | undefined): EarlierObservation | undefined {
	const result = earlier?.points[id];
	if (!earlier || !result) return undefined;
	return 'observed' in result
		? { observed: result.observed, observedAt: earlier.observedAt }
		: result.last;
}

function formatCell(text: string): string {
	return text.replaceAll('|', '\\|');
}

function formatDate(iso: string): string {
	return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}
