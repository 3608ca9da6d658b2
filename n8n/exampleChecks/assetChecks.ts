import assert from 'node:assert/strict';

import { assertRan, type Context } from './context';

export async function importAndDownload({ workflow, n8n, service }: Context): Promise<string> {
	// The other example would create a video about the imported image.
	await n8n.rest('POST', '/workflows/NewAssetToVideo1/deactivate');
	const before = service.assets.map(({ id }) => id);
	const run = await n8n.runWorkflow(workflow.id, 'Start by hand');
	assertRan(run, ['Any asset', 'Import asset', 'Get asset', 'Download asset', 'All assets']);
	const [imported, ...more] = service.assets.filter(({ id }) => !before.includes(id));
	assert(imported && more.length === 0, `${more.length} assets too many were imported`);
	const [downloaded] = run.items['Download asset']!;
	assert(downloaded?.id === imported.id, `asset ${String(downloaded?.id)} was downloaded`);
	assert(
		service.requests.some(({ host, path }) => host === 'files' && path.includes(imported.id)),
		'the file of the imported asset was not fetched',
	);
	const listed = run.items['All assets']!.length;
	assert(listed === before.length + 1, `${listed} assets were listed at the end`);
	return `"${imported.name}" imported, downloaded and listed`;
}

export async function renameAssets({ workflow, n8n, service }: Context): Promise<string> {
	const before = service.assets.map(({ name }) => name);
	assert(before.length > 0, 'the service has no assets to rename');
	const first = await n8n.runWorkflow(workflow.id, 'Every night');
	assertRan(first, [
		'Every night',
		'Get all assets',
		'Work out the name',
		'Breaks the rule?',
		'Rename asset',
		'All assets again',
		'Report',
	]);
	assert(
		first.items['Get all assets']?.length === before.length,
		`${first.items['Get all assets']?.length} of ${before.length} assets were read`,
	);
	const bad = service.assets.filter(
		({ name }) => !/^[\p{Ll}\p{Lo}\p{N}.]+(-[\p{Ll}\p{Lo}\p{N}.]+)*$/u.test(name),
	);
	assert(bad.length === 0, `still against the rule: ${bad.map(({ name }) => name).join(', ')}`);
	const renamed = service.assets.filter(({ name }, index) => name !== before[index]).length;
	const report = first.items.Report?.[0];
	assert(report?.renamed === renamed, `the report says ${JSON.stringify(report)}`);

	const patches = () => service.requests.filter(({ method }) => method === 'PATCH').length;
	assert(patches() === renamed, `${patches()} requests renamed ${renamed} assets`);
	const second = await n8n.runWorkflow(workflow.id, 'Every night');
	assertRan(second, ['Get all assets', 'Report']);
	assert(patches() === renamed, 'the second run renamed assets that follow the rule');
	return `${renamed} of ${before.length} assets renamed, none by a second run`;
}
