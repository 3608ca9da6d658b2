import { bugs } from '../package.json';

import type { Observation, Observations } from './askContext';
import { openPoints, type Mode, type OpenPoint } from './openPoints';
import type { Exchange } from './service';

/** @returns how many points were observed, and how many differ */
export function summarize(observations: Observations): string {
	const observed = Object.values(observations).filter((result) => 'observed' in result);
	const observable = openPoints.filter(({ observer }) => observer);
	const differing = observed.filter(({ differs }) => differs).length;
	return `${observed.length} of the ${observable.length} open points that requests can answer were observed. Different from what the node assumes: ${differing || 'none'}.`;
}

/** @returns the page to share, as Markdown */
export function formatPage(
	modes: Mode[],
	observations: Observations,
	exchanges: Exchange[],
): string {
	const different: string[] = [];
	const others: string[] = [];
	const missing: string[] = [];
	for (const point of openPoints) {
		const result = observations[point.id];
		if (!result) continue;
		if ('notObserved' in result) missing.push(`- ${point.title}: ${result.notObserved}`);
		else (result.differs ? different : others).push(formatPoint(point, result));
	}
	const requests = exchanges.map(({ line, status }) => `${line} → ${status}`);
	return `# What the service does where its specification is silent

Observed on ${new Date().toISOString().slice(0, 10)} by \`npm run ask\` of n8n-nodes-avatar-studio (${modes.join(', ')}). This page contains no API key, and no names, IDs or addresses of the account, so it can be shared: please attach it to an issue at <${bugs.url}>.

${summarize(observations)}

## Different from what the node assumes

${different.join('\n\n') || 'None.'}

## Observed

${others.join('\n\n') || 'None.'}

## Not observed

${missing.join('\n') || 'None.'}

## Requests

\`\`\`text
${[...new Set(requests)].join('\n')}
\`\`\`
`;
}

function formatPoint({ title, undocumented, node, setting }: OpenPoint, result: Observation) {
	const change = setting ?? 'There is none; please open an issue.';
	return `### ${title}

- **Undocumented:** ${undocumented}
- **Observed:** ${result.observed}
- **The node** ${node.split(/(?<=\.) /)[0]}${result.differs ? ` **To change it:** ${change}` : ''}`;
}
