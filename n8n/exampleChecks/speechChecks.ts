import assert from 'node:assert/strict';

import { assertRan, findNode, type Context } from './context';

export async function speechInParts({ workflow, n8n, service }: Context): Promise<string> {
	const run = await n8n.runWorkflow(workflow.id, 'Start by hand');
	assertRan(run, ['Long text', 'Split at sentences', 'One item per part', 'Create speech']);
	const { assignments } = findNode(workflow, 'Long text').parameters.assignments as {
		assignments: { name: string; value: unknown }[];
	};
	const settings = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
	const scripts = service.speeches.map(({ script }) => script);
	assert(scripts.length > 1, `the text was spoken in ${scripts.length} part`);
	const spoken = run.items['One item per part']!.map(({ part }) => String(part));
	assert(spoken.join('') === settings.text, `the parts are ${spoken.join(' | ')}`);
	for (const script of scripts) {
		assert(/[.!?]$/.test(script), `a part ends within a sentence: "${script}"`);
		assert(script.length <= Number(settings.maxLength), `a part is too long: "${script}"`);
	}
	assert(
		run.items['Create speech']!.every(({ fileError }) => fileError === undefined),
		'the file of a part is missing',
	);
	return `${scripts.length} speeches of whole sentences, each with its file`;
}
