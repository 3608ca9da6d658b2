import { readExamples, type Example } from '../../n8n/examples';

/** @returns the page about the examples as Markdown, built from the notes in the workflows */
export function buildExamplesPage(): string {
	const examples = readExamples();
	const sections = [
		'# Example workflows',
		'Workflows to import into your own n8n: videos from forms, webhooks, tables, sheets, feeds and new assets, after an approval or in five languages, without executions that wait, an AI agent, and speech in Telegram.',
		'To use one, install this package, copy the file into a new workflow (**⋯** › **Import from File**), and follow _Set up_. To try all of them without an account, run `npm start` in this repository.',
		examples.map(({ name }) => `- [${name}](#${toAnchor(name)})`).join('\n'),
		...examples.flatMap(describeExample),
		'## For contributors',
		'This page is generated from the notes in the workflows by `npm run docs`. The pictures are taken in the real editor by `SCREENSHOTS=docs npm run test:editor`, and `npm start -- --check` runs every example. To submit an example to n8n’s [template library](https://n8n.io/workflows/), use its heading as the title, and its text, with `##` for `###`, as the description; put the picture first, because the library cannot show the canvas of a workflow with a community node.',
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
export function toAnchor(heading: string): string {
	return heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');
}
