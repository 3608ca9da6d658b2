import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

import type { RecordedRequest } from './requests';

/** An operation of `openapi.yaml`, ready to match and validate requests. */
export interface Operation {
	operationId: string;
	method: string;
	/** Matches its path; the groups are the path parameters. */
	path: RegExp;
	contentType?: string;
	/** The fields that its body may have. */
	bodyFields: string[];
	/** Whether only its public clients know it: the specification does not mention it. */
	isFromClients: boolean;
	/** Whether it is at the Base URL of the fast branch. */
	isOfFastBranch: boolean;
	integerParameters: Set<string>;
	/** Validates `{ Path, Query, Body }`. */
	validate: ValidateFunction;
}

interface Parameter {
	name: string;
	in: 'path' | 'query';
	required?: boolean;
	schema: { type?: string };
}

interface OperationDocument {
	operationId: string;
	parameters?: Parameter[];
	requestBody?: { content: Record<string, { schema: { properties: object } }> };
	'x-source'?: string;
	servers?: { url: string }[];
}

type PathItem = Record<string, OperationDocument> & { parameters?: Parameter[] };

const methods = ['get', 'post', 'put', 'patch', 'delete'];
// OpenAPI's own keywords, such as x-undocumented, are unknown to JSON Schema's strict mode.
const ajv = addFormats(new Ajv2020({ allErrors: true, strict: false }));

const document = parse(readFileSync(join(__dirname, 'openapi.yaml'), 'utf8')) as {
	paths: Record<string, PathItem>;
	components: { securitySchemes: Record<string, { name: string }> };
};
/** The headers by which the service knows whose request it is. */
const accountHeaders = Object.values(document.components.securitySchemes).map(({ name }) => name);
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
	methods
		.filter((method) => method in item)
		.map((method) => compileOperation(path, method, item[method]!, item.parameters)),
);

/** Where the paths of the fast branch begin. */
export const FAST_PREFIX = '/api';

/** The operations of a path, one per method; none if the path is unknown. */
export function findOperations(path: string): Operation[] {
	const fastPath = path.startsWith(`${FAST_PREFIX}/`) ? path.slice(FAST_PREFIX.length) : undefined;
	return operations.filter(({ path: pattern, isOfFastBranch }) => {
		const isFastPath = isOfFastBranch && fastPath !== undefined && pattern.test(fastPath);
		return isFastPath || pattern.test(path);
	});
}

/** Reads the values of the parameters in braces from a path. */
export function readPathParameters(operation: Operation, path: string): Record<string, string> {
	return { ...operation.path.exec(path)?.groups };
}

/** How a request to an operation violates `openapi.yaml`, one sentence each. */
export function findViolations(
	operation: Operation,
	{ method, url, path, headers, rawBody, body }: RecordedRequest,
	extraBodyFields: string[],
): string[] {
	const { contentType, integerParameters, validate } = operation;
	const query = [...new URLSearchParams(url.split('?')[1])];
	const names = query.map(([name]) => name);
	const violations = names
		.filter((name, index) => names.indexOf(name) !== index)
		.map((name) => `Query ${name} is given more than once.`);

	if (!headers['x-api-key']) violations.push('Header x-api-key is missing.');
	for (const name of Object.keys(headers)) {
		if (!name.startsWith('x-') || accountHeaders.includes(name)) continue;
		violations.push(`Header ${name} is unknown: add a security scheme to service/openapi.yaml.`);
	}
	if (!headers.accept?.includes('application/json')) {
		violations.push(
			`Header accept must include application/json, it is ${headers.accept ?? 'missing'}.`,
		);
	}
	if (contentType === undefined) {
		if (rawBody !== '') violations.push(`A ${method} has no body.`);
	} else {
		const actual = headers['content-type'];
		if (!isContentType(actual, contentType)) {
			violations.push(`Header content-type must be ${contentType}, it is ${actual ?? 'missing'}.`);
		}
		if (body === undefined) violations.push(`The body is ${rawBody ? 'not JSON' : 'missing'}.`);
	}

	const isValid = validate({
		Path: readPathParameters(operation, path),
		Query: Object.fromEntries(
			query.map(([name, value]) => [
				name,
				integerParameters.has(name) && /^-?\d+$/.test(value) ? Number(value) : value,
			]),
		),
		...(body === undefined ? {} : { Body: omitFields(body, extraBodyFields) }),
	});
	return isValid ? violations : [...violations, ...validate.errors!.map(describeError)];
}

function compileOperation(
	path: string,
	method: string,
	{ operationId, parameters = [], requestBody, servers, 'x-source': source }: OperationDocument,
	pathParameters: Parameter[] = [],
): Operation {
	const all = [...pathParameters, ...parameters];
	const [contentType, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
	return {
		operationId,
		method: method.toUpperCase(),
		path: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
		contentType,
		bodyFields: Object.keys(body?.schema.properties ?? {}),
		isFromClients: source !== undefined,
		isOfFastBranch: servers !== undefined,
		integerParameters: new Set(
			all.filter(({ schema }) => schema.type === 'integer').map(({ name }) => name),
		),
		validate: ajv.compile({
			type: 'object',
			properties: {
				Path: parametersSchema(all.filter((parameter) => parameter.in === 'path')),
				Query: parametersSchema(all.filter((parameter) => parameter.in === 'query')),
				...(body && { Body: body.schema }),
			},
		}),
	};
}

function parametersSchema(parameters: Parameter[]): object {
	return {
		type: 'object',
		additionalProperties: false,
		properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
		required: parameters.filter(({ required }) => required).map(({ name }) => name),
	};
}

function isContentType(actual = '', expected: string): boolean {
	return expected === 'application/json'
		? /^application\/json(\s*;\s*charset="?[\w-]+"?)?$/i.test(actual)
		: actual === expected;
}

function omitFields(body: unknown, names: string[]): unknown {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
	return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

function describeError({ instancePath, keyword, params, message }: ErrorObject): string {
	const location = instancePath.slice(1).replaceAll('/', ' ');
	return keyword === 'additionalProperties'
		? `${location} has an unknown field ${String(params.additionalProperty)}: add it to service/openapi.yaml if the service has it.`
		: `${location} ${message ?? 'is not valid'}.`;
}
