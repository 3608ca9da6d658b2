import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';

import openApiSchema from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

/** What the contract judges of a request. */
export interface ContractRequest {
	method: string;
	/** Path without the query, starting with `/v1`. */
	path: string;
	query: URLSearchParams;
	headers: IncomingHttpHeaders;
	rawBody: string;
}

/** One operation of the contract that a method and path lead to. */
export interface MatchedOperation {
	operationId: string;
	pathParameters: Record<string, string>;
}

interface Parameter {
	name: string;
	in: 'path' | 'query' | 'header';
	required?: boolean;
	schema: object;
}

interface OperationDocument {
	operationId: string;
	parameters?: (Parameter | { $ref: string })[];
	requestBody?: { content: Record<string, object> };
}

interface Operation {
	operationId: string;
	method: string;
	segments: string[];
	contentType?: string;
	validatePath: ValidateFunction;
	validateQuery: ValidateFunction;
	validateBody?: ValidateFunction;
}

interface ContractDocument {
	paths: Record<string, Record<string, unknown>>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];
const documentId = 'contract';

const document = parse(readFileSync(join(__dirname, 'openapi.yaml'), 'utf8')) as ContractDocument;
assertOpenApi(document);

// Two of them, because a query arrives as text ("5" is an integer there) and a body does not.
const bodyValidator = createValidator(false);
const queryValidator = createValidator(true);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
	methods
		.filter((method) => method in item)
		.map((method) => compileOperation(path, method, item as Record<string, OperationDocument>)),
);

/** The operation that a method and path lead to, where the contract has one. */
export function matchOperation(method: string, path: string): MatchedOperation | undefined {
	const operation = findByPath(path).find((candidate) => candidate.method === method);
	return (
		operation && {
			operationId: operation.operationId,
			pathParameters: readPathParameters(operation, path),
		}
	);
}

/** Whether the contract names the path, with whatever method. */
export function isKnownPath(path: string): boolean {
	return findByPath(path).length > 0;
}

/**
 * Sentences that say how a request violates the contract; none when it keeps it.
 *
 * @param extraBodyFields fields accepted in a body although the specification does not name them
 */
export function findViolations(request: ContractRequest, extraBodyFields: string[] = []): string[] {
	const candidates = findByPath(request.path);
	if (candidates.length === 0) return [`The contract has no path ${request.path}.`];
	const operation = candidates.find(({ method }) => method === request.method);
	if (!operation) return [`The contract has no ${request.method} ${request.path}.`];
	return [
		...checkHeaders(request.headers),
		...describeErrors('Path', operation.validatePath, readPathParameters(operation, request.path)),
		...checkQuery(operation, request.query),
		...checkBody(operation, request, extraBodyFields),
	];
}

function assertOpenApi(candidate: unknown): void {
	const ajv = new Ajv2020({ strict: false, validateFormats: false });
	if (!ajv.validate(openApiSchema, candidate)) {
		throw new Error(`openapi.yaml is not an OpenAPI 3.1 document: ${ajv.errorsText()}`);
	}
}

function createValidator(coerceTypes: boolean): Ajv2020 {
	const ajv = new Ajv2020({ allErrors: true, strict: false, coerceTypes });
	addFormats(ajv);
	return ajv.addSchema(document, documentId);
}

function compileOperation(
	path: string,
	method: string,
	item: Record<string, OperationDocument>,
): Operation {
	const { operationId, parameters = [], requestBody } = item[method]!;
	const shared = (item.parameters ?? []) as (Parameter | { $ref: string })[];
	const resolved = [...shared, ...parameters].map(resolveParameter);
	const contentType = requestBody && Object.keys(requestBody.content)[0];
	return {
		operationId,
		method: method.toUpperCase(),
		segments: path.split('/'),
		contentType,
		validatePath: bodyValidator.compile(parametersSchema(resolved, 'path')),
		validateQuery: queryValidator.compile(parametersSchema(resolved, 'query')),
		validateBody:
			contentType === undefined
				? undefined
				: bodyValidator.compile({
						$ref: jsonPointer(
							'paths',
							path,
							method,
							'requestBody',
							'content',
							contentType,
							'schema',
						),
					}),
	};
}

function resolveParameter(parameter: Parameter | { $ref: string }): Parameter {
	if (!('$ref' in parameter)) return parameter;
	const steps = parameter.$ref.slice(2).split('/');
	return steps.reduce<unknown>(
		(value, step) => (value as Record<string, unknown>)[step],
		document,
	) as Parameter;
}

function parametersSchema(parameters: Parameter[], place: Parameter['in']): object {
	const chosen = parameters.filter((parameter) => parameter.in === place);
	return {
		type: 'object',
		additionalProperties: false,
		properties: Object.fromEntries(chosen.map(({ name, schema }) => [name, schema])),
		required: chosen.filter(({ required }) => required).map(({ name }) => name),
	};
}

function jsonPointer(...steps: string[]): string {
	const escaped = steps.map((step) =>
		encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
	);
	return `${documentId}#/${escaped.join('/')}`;
}

function findByPath(path: string): Operation[] {
	const segments = path.split('/');
	return operations.filter(
		(operation) =>
			operation.segments.length === segments.length &&
			operation.segments.every(
				(segment, index) =>
					segment === segments[index] || (segment.startsWith('{') && segments[index] !== ''),
			),
	);
}

function readPathParameters(operation: Operation, path: string): Record<string, string> {
	const segments = path.split('/');
	return Object.fromEntries(
		operation.segments.flatMap((segment, index) =>
			segment.startsWith('{') ? [[segment.slice(1, -1), segments[index] ?? '']] : [],
		),
	);
}

function checkHeaders(headers: IncomingHttpHeaders): string[] {
	const violations: string[] = [];
	if (!headers['x-api-key']) violations.push('Header x-api-key is missing.');
	if (!headers.accept?.includes('application/json')) {
		violations.push(
			`Header accept must ask for application/json, it is ${headers.accept ?? 'missing'}.`,
		);
	}
	return violations;
}

function checkQuery(operation: Operation, query: URLSearchParams): string[] {
	const names = [...query.keys()];
	const repeated = names.filter((name, index) => names.indexOf(name) !== index);
	return [
		...repeated.map((name) => `Query ${name} is given more than once.`),
		...describeErrors('Query', operation.validateQuery, Object.fromEntries(query)),
	];
}

function checkBody(
	operation: Operation,
	{ method, headers, rawBody }: ContractRequest,
	extraBodyFields: string[],
): string[] {
	if (!operation.validateBody || !operation.contentType) {
		return rawBody === '' ? [] : [`A ${method} carries no body.`];
	}
	const violations = checkContentType(operation.contentType, headers['content-type']);
	if (rawBody === '') return [...violations, 'The body is missing.'];
	let body: unknown;
	try {
		body = JSON.parse(rawBody);
	} catch {
		return [...violations, 'The body is not JSON.'];
	}
	return [
		...violations,
		...describeErrors('Body', operation.validateBody, omitFields(body, extraBodyFields)),
	];
}

function checkContentType(expected: string, actual: string | undefined): string[] {
	const kept =
		expected === 'application/json'
			? /^application\/json(\s*;\s*charset="?[\w-]+"?)?$/i.test(actual ?? '')
			: actual === expected;
	return kept ? [] : [`Header content-type must be ${expected}, it is ${actual ?? 'missing'}.`];
}

function omitFields(body: unknown, names: string[]): unknown {
	if (names.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) {
		return body;
	}
	return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

function describeErrors(place: string, check: ValidateFunction, value: unknown): string[] {
	return check(value) ? [] : (check.errors ?? []).map((error) => describeError(place, error));
}

function describeError(
	place: string,
	{ instancePath, keyword, params, message }: ErrorObject,
): string {
	const where = [place, ...instancePath.split('/').slice(1)].join(' ');
	return keyword === 'additionalProperties'
		? `${where} has an unknown field ${String(params.additionalProperty)}.`
		: `${where} ${message ?? 'is not valid'}.`;
}
