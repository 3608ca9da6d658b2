import type { ICredentialTestFunctions } from 'n8n-workflow';

import { listFirst, quote, shorten } from '../errors/formatText';

import type { Request, RequestContext } from './send';

/** What has a logger: nodes, pickers and, without a workflow or a node, the credential test. */
type LogContext = RequestContext | Pick<ICredentialTestFunctions, 'logger'>;

/**
 * Writes a line to n8n's log. Its metadata names the workflow, the execution and the node as n8n's own
 * lines do (n8n-core 2.41.1, workflow-execute.js), so that log tools can filter by them.
 *
 * @param message holds no key, script, title, file name or link, and of a response no more than the
 *   service's words
 */
export function log(context: LogContext, level: 'debug' | 'info' | 'warn', message: string): void {
	context.logger[level](message, getLogMetadata(context));
}

/**
 * Writes a line that begins with the name of the node, because n8n's log shows the text alone
 * (findings/log-shows-no-metadata).
 */
export function logForNode(context: RequestContext, level: 'info' | 'warn', text: string): void {
	log(context, level, `${context.getNode().name}: ${text}`);
}

/** @returns a request as the log shows it: without its query, and of a link, which is secret, its host */
export function formatRoute({ method, url, isDownload }: Request): string {
	const address = isDownload ? `a file of ${new URL(url).host}` : url.split('?')[0]!;
	return `${method} ${shorten(address)}`;
}

/** Lists the nodes of waiting requests with their workflows (findings/log-shows-no-metadata). */
export function listNodes(contexts: RequestContext[]): string {
	const names = contexts.map((context) => {
		const workflow = context.getWorkflow().name ?? '';
		return `${quote(context.getNode().name)} in workflow ${quote(workflow)}`;
	});
	return listFirst([...new Set(names)], String);
}

/** How long something is waited for before the log says so, in milliseconds. */
export const REPORT_AFTER_MS = 10_000;
/** How often the log says that it is still waited for, in milliseconds. */
export const REPORT_EVERY_MS = 300_000;

/** @returns a time such as "0.4 s" or "75 s" */
export function formatSeconds(ms: number): string {
	const seconds = ms / 1000;
	return `${seconds < 10 ? Number(seconds.toFixed(1)) : Math.round(seconds)} s`;
}

function getLogMetadata(context: LogContext) {
	if (!('getNode' in context)) return {};
	return {
		node: context.getNode().name,
		workflowId: context.getWorkflow().id,
		executionId: 'getExecutionId' in context ? context.getExecutionId() : undefined,
	};
}
