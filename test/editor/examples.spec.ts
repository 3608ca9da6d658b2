import { readExamples } from '../../n8n/examples';

import { useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor({ withCredential: false });

/** Buttons on the canvas, and the warnings of nodes that still need a credential. */
const HIDDEN = `
	[data-test-id="canvas-controls"], [data-test-id="node-creator-plus-button"],
	[data-test-id="node-issues"], [class*="nodeButtonsWrapper"], [class*="executionButtons"], [class*="_tabs_"] {
		visibility: hidden !important;
	}
`;

beforeAll(async () => await editor.page.setViewportSize({ width: 1100, height: 520 }));

test.each(readExamples().map((example) => [example.name, example] as const))(
	'I open the example "%s"',
	async (_name, { file, name, nodes, connections, pinData }) => {
		await editor.openWorkflow({ name, nodes, connections, pinData });
		const { page } = editor;
		await page.getByTestId('sticky').waitFor();
		await page
			.getByTestId('canvas-node')
			.nth(nodes.length - 2)
			.waitFor();
		expect(await page.getByTestId('canvas-node').count()).toBe(nodes.length - 1);
		await screenshot(page, `examples/${file}`, {
			of: [page.getByTestId('canvas')],
			above: -18,
			style: HIDDEN,
		});
	},
);
