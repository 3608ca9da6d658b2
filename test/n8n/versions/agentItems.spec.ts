import { startLanguageModel } from '../../../n8n/languageModel';
import { agentVersions } from '../agent';
import {
	connectInOrder,
	type Part,
	rows,
	startByHand,
	STUDIO,
	useN8n,
	type Wire,
} from '../runningN8n';

const n8n = useN8n();

const NAMES = ['good', 'bad', 'fine'];
const CODES = ['$json.id', "$('Rows').item.json.id", "$('Loop').item.json.id"];
const cases = agentVersions()
	.flatMap((version) =>
		CODES.flatMap((code) => [false, true].map((isLoop) => [version, code, isLoop] as const)),
	)
	.filter(([, code, isLoop]) => isLoop || !code.includes('Loop'));

// n8n gives a tool the first item of several. The model deletes the second of three assets; which ID that
// is says the workflow.
test.each(cases)(
	'AI Agent %p deletes {{ %s }} of the item it works on, or none (loop: %p)',
	async (version, code, isLoop) => {
		const judged = new Set<string>();
		const model = await startLanguageModel(0, ({ prompt, tools }) => {
			const name = /Judge (\w+)/.exec(prompt)![1]!;
			if (name !== 'bad' || judged.has(name)) return `Kept ${name}.`;
			judged.add(name);
			return { tool: tools[0]!.name, args: {} };
		});
		const openAi = await n8n.newAccount('openAiApi', { apiKey: 'not-needed', url: model.url });
		const assets = n8n.service.assets.slice(0, 3);
		const list = rows(assets.map(({ id }, index) => ({ id, name: NAMES[index] })));
		const agent: Part = {
			name: 'AI Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: version,
			parameters: { promptType: 'define', text: '=Judge {{ $json.name }}', options: {} },
		};
		const loop: Part = {
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { options: {} },
		};
		const chatModel: Part = {
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.3,
			parameters: {
				model: { __rl: true, mode: 'id', value: 'scripted' },
				responsesApiEnabled: false,
				options: {},
			},
			credentials: openAi,
		};
		const assetId = { __rl: true, mode: 'id', value: `={{ ${code} }}` };
		const tool: Part = {
			name: 'Delete it',
			type: `${STUDIO}Tool`,
			parameters: { resource: 'asset', operation: 'delete', assetId },
			credentials: n8n.account,
		};
		const chain = [startByHand, ...list, ...(isLoop ? [loop] : [agent])];
		const wires: Wire[] = [
			...connectInOrder(chain),
			['Model', 'ai_languageModel', 'AI Agent'],
			['Delete it', 'ai_tool', 'AI Agent'],
		];
		if (isLoop) wires.push(['Loop', 'main', 'AI Agent', 1], ['AI Agent', 'main', 'Loop']);
		const parts = [...chain, ...(isLoop ? [agent] : []), chatModel, tool];
		await n8n.run(await n8n.newWorkflow('Judge', parts, wires));
		await model.close();
		const left = new Set(n8n.service.assets.map(({ id }) => id));
		const deleted = NAMES.filter((_, index) => !left.has(assets[index]!.id));
		// From AI Agent 3 on, $json is the item.
		const isRight = version >= 3 && code === '$json.id';
		expect(isRight ? ['bad'] : ['', 'bad']).toContain(deleted.join());
	},
);
