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

beforeAll(async () => await editor.page.setViewportSize({ width: 1100, height: 620 }));

test.each(readExamples().map((example) => [example.name, example] as const))(
	'I open the example "%s"',
	async (_name, { file, name, nodes, connections, pinData }) => {
		const { page } = editor;
		const canvasNodes = page.getByTestId('canvas-node');
		// The page of the examples repeats the note; without it, n8n shows the nodes larger.
		const withoutNote = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
		await editor.openWorkflow({ name, nodes: withoutNote, connections, pinData });
		await canvasNodes.nth(withoutNote.length - 1).waitFor();
		expect(await canvasNodes.count()).toBe(withoutNote.length);
		await screenshot(page, `examples/${file}`, {
			of: [canvasNodes, canvasNodes.locator('[class*="_description_"]'), page.getByTestId('edge')],
			margin: 32,
			style: HIDDEN,
		});
	},
);
