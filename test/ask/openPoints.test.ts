import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { openPoints, type OpenPoint } from '../../ask/openPoints';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const { paths } = parse(readFileSync(join(__dirname, '../../service/openapi.yaml'), 'utf8')) as {
	paths: Record<string, Record<string, unknown>>;
};
const points: readonly OpenPoint[] = openPoints;

test('Every operation with an undocumented part is in the list of open points', () => {
	const marked = Object.entries(paths).flatMap(([path, item]) =>
		METHODS.filter((method) => JSON.stringify(item[method] ?? '').includes('x-undocumented')).map(
			(method) => `${method.toUpperCase()} ${path}`,
		),
	);
	const listed = points.flatMap(({ operations }) => operations);
	expect(marked.filter((operation) => !listed.includes(operation))).toEqual([]);
});

test('Every open point names operations of the contract', () => {
	const known = Object.entries(paths).flatMap(([path, item]) =>
		Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
	);
	const unknown = points
		.flatMap(({ operations }) => operations)
		.filter((operation) => operation !== 'every operation' && !known.includes(operation));
	expect(unknown).toEqual([]);
});

test('No two open points have the same name or title', () => {
	expect(new Set(points.map(({ id }) => id)).size).toBe(points.length);
	expect(new Set(points.map(({ title }) => title)).size).toBe(points.length);
});
