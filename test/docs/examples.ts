import { readExamples, type Example } from '../../n8n/examples';

/** @returns the page about the examples as Markdown, built from the notes in the workflows */
export function buildExamplesPage(): string {
	const examples = readExamples();
	const sections = [
		'# Example workflows',
		'Generated from the notes in the workflows by `npm run docs`. The pictures are taken in the real editor by `SCREENSHOTS=docs npm run test:editor`, and `npm start -- --check` runs every example.',
		'`npm start` opens n8n with all of them, and none needs an account there. To use one in your own n8n, install this package, copy the file into a new workflow (**⋯** › **Import from File**), and follow _Set up_. Each text below is also a description in the format of n8n’s [template library](https://n8n.io/workflows/); the templates need a community node, so mark them as self-hosted when you submit one.',
		examples.map(({ name }) => `- [${name}](#${toAnchor(name)})`).join('\n'),
		...examples.flatMap(describeExample),
	];
	return `${sections.join('\n\n')}\n`;
}

function describeExample({ file, name, nodes }: Example): string[] {
	const note = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote')!;
	const [, ...text] = String(note.parameters.content).split('\n\n');
	return [
		`## ${name}`,
		`![The canvas of the workflow](../docs/screenshots/examples/${file}.png)`,
		...text,
		`File: [${file}.json](${file}.json)`,
	];
}

/** @returns the anchor that GitHub gives a heading */
function toAnchor(heading: string): string {
	return heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} -]/gu, '')
		.replaceAll(' ', '-');
}
