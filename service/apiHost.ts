import { findViolations, isKnownPath, matchOperation } from './contract';
import { operations, type OperationRequest } from './operations';
import type { ResolvedOptions } from './options';
import type { RecordedRequest } from './recordedRequest';
import { problemResponse, type ServiceResponse } from './responses';

/** Finds the operation of a request and judges it by the contract; both go into its record. */
export function validateRequest(
	record: RecordedRequest,
	{ basePath, extraBodyFields }: ResolvedOptions,
): void {
	if (isOutside(record, basePath)) {
		record.violations.push(`There is nothing outside ${basePath}.`);
		return;
	}
	record.operation = matchOperation(record.method, record.path)?.operationId;
	const query = new URLSearchParams(record.url.split('?').slice(1).join('?'));
	record.violations.push(...findViolations({ ...record, query }, extraBodyFields));
}

/** Does what a judged request asks for, unless its key or the contract forbids it. */
export async function handleApiRequest(
	record: RecordedRequest,
	context: Omit<OperationRequest, 'id' | 'query' | 'body'>,
): Promise<ServiceResponse> {
	const { headers, path, method, query, violations, operation } = record;
	if (headers['x-api-key'] !== context.options.apiKey) {
		return problemResponse(401, 'The header x-api-key holds no valid API key.');
	}
	if (!operation) {
		const isKnown = isKnownPath(path) && !isOutside(record, context.options.basePath);
		return problemResponse(isKnown ? 405 : 404, violations.join(' '));
	}
	if (violations.length > 0) {
		return problemResponse(400, 'The request violates the contract.', { violations });
	}
	const { id = '' } = matchOperation(method, path)?.pathParameters ?? {};
	const body = (record.body ?? {}) as Record<string, unknown>;
	return await operations[operation]!({ ...context, id, query, body });
}

function isOutside({ url }: RecordedRequest, basePath: string): boolean {
	return !url.startsWith(`${basePath}/`);
}
