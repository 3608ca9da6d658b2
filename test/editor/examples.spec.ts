import { readExamples } from '../../n8n/examples';

import { useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor({ withCredential: false });

beforeAll(async () => await editor.page.setViewportSize({ width: 1100, height: 560 }));

test.each(readExamples().map((example) => [example.name, example] as const))(
	'I open the example "%s"',
	async (_name, { file, name, nodes, connections, pinData }) => {
		await editor.openWorkflow({ name, nodes, connections, pinData });
		const shown = editor.page.getByTestId('canvas-node');
		await shown.nth(nodes.length - 1).waitFor();
		expect(await shown.count()).toBe(nodes.length);
		await screenshot(editor.page, `examples/${file}`, {
			of: [editor.page.getByTestId('canvas')],
		});
	},
);
