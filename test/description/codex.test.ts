import { readFileSync } from 'node:fs';
import path from 'node:path';

import { PackageDirectoryLoader } from 'n8n-core';
import type { INodeType } from 'n8n-workflow';

import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import { n8n, name } from '../../package.json';

const ROOT = path.resolve(__dirname, '../..');

interface Codex {
	node: string;
	categories: string[];
	alias: string[];
	resources: Record<string, { url: string }[]>;
}

describe.each([
	[n8n.nodes[0]!, new AvatarStudio()],
	[n8n.nodes[1]!, new AvatarStudioTrigger()],
] as [string, INodeType][])('The codex file of %s', (file, { description }) => {
	const source = file.replace('dist/', '');
	const codex = JSON.parse(readFileSync(path.join(ROOT, `${source}on`), 'utf8')) as Codex;

	it('is of this node', () => {
		expect(codex.node).toBe(`${name}.${description.name}`);
	});

	// findings/codex-without-resources-is-dropped: the loader takes all of it, or drops it without a word.
	it("keeps its categories, aliases and links in n8n's loader", () => {
		const node = { description: { ...description } } as INodeType;
		const loader = new PackageDirectoryLoader(ROOT) as unknown as {
			addCodex: (node: INodeType, file: string) => void;
		};
		loader.addCodex(node, source);
		const { categories, alias, resources } = codex;
		expect(node.description.codex).toEqual({ categories, alias, resources });
		expect(categories).not.toHaveLength(0);
		expect(alias).not.toHaveLength(0);
		expect(Object.values(resources)).toEqual([
			[{ url: expect.stringMatching(/^https:/) }],
			[{ url: expect.stringMatching(/^https:/) }],
		]);
	});
});
