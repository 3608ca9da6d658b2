import { problem, type Answer } from './answers';
import { checkRequest, isKnownPath, matchOperation } from './contract';
import { operations, type Call } from './operations';
import type { ResolvedOptions } from './options';
import type { RecordedRequest } from './recordedRequest';

/** Finds the operation of a request and judges it by the contract; both go into its record. */
export function judge(
	record: RecordedRequest,
	{ basePath, beyondContract }: ResolvedOptions,
): void {
	if (isOutside(record, basePath)) {
		record.breaches.push(`There is nothing outside ${basePath}.`);
		return;
	}
	record.operation = matchOperation(record.method, record.path)?.operationId;
	const query = new URLSearchParams(record.url.split('?').slice(1).join('?'));
	record.breaches.push(...checkRequest({ ...record, query }, beyondContract));
}

/** Does what a judged request asks for, unless its key or the contract forbids it. */
export async function answerApi(
	record: RecordedRequest,
	context: Omit<Call, 'id' | 'query' | 'body'>,
): Promise<Answer> {
	const { headers, path, method, query, breaches, operation } = record;
	if (headers['x-api-key'] !== context.options.apiKey) {
		return problem(401, 'The header x-api-key holds no valid API key.');
	}
	if (!operation) {
		const isKnown = isKnownPath(path) && !isOutside(record, context.options.basePath);
		return problem(isKnown ? 405 : 404, breaches.join(' '));
	}
	if (breaches.length > 0) {
		return problem(400, 'The request breaches the contract.', { breaches });
	}
	const { id = '' } = matchOperation(method, path)?.pathParameters ?? {};
	const body = (record.body ?? {}) as Record<string, unknown>;
	return await operations[operation]!({ ...context, id, query, body });
}

function isOutside({ url }: RecordedRequest, basePath: string): boolean {
	return !url.startsWith(`${basePath}/`);
}
