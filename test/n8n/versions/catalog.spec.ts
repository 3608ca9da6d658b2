import { requireFromN8n } from '../../../n8n/installation';
import { STUDIO, useN8n } from '../runningN8n';
import { n8nVersion } from '../servers';

// The catalog that n8n's AI assistant, its agent builder and its MCP server search.

interface Catalog {
	NodeTypeParser: new (types: object[]) => object;
	searchCodeBuilderNodes: (parser: object, queries: string[]) => { results: string };
}

const n8n = useN8n();

/** The five nodes that an AI finds, as it reads them. */
async function search(words: string): Promise<string> {
	const { NodeTypeParser, searchCodeBuilderNodes } = requireFromN8n<Catalog>(
		'@n8n/ai-utilities/node-catalog',
		n8nVersion(),
	);
	const types = await n8n.session.fetch('/types/nodes.json');
	const parser = new NodeTypeParser((await types.json()) as object[]);
	return searchCodeBuilderNodes(parser, [words]).results;
}

// Earlier versions have another catalog, which reads no hints.
const describeCatalog = n8nVersion().startsWith('2.41.') ? describe : describe.skip;

describeCatalog('An AI that searches n8n for', () => {
	test.each([
		['talking avatar', `- ${STUDIO}\n`, 'no operation lists avatars'],
		['text to speech', `- ${STUDIO}\n`, 'no operation lists avatars'],
		['new asset', `- ${STUDIO}Trigger [TRIGGER]\n`, 'does not report that a video is finished'],
	])('"%s" finds the node, and reads what it cannot do', async (words, node, limitation) => {
		const found = await search(words);
		expect(found).toContain(node);
		expect(found).toContain(limitation);
	});
});
