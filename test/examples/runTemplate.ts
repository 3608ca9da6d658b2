import type {
	IConnections,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';

import { readExamples } from '../../n8n/examples';
import type { WorkflowNode } from '../../n8n/workflow';
import { runWorkflow } from '../support/engine/engine';
import { createType } from '../support/engine/parts';
import type { Studio } from '../support/studio';

import { runDataTable } from './dataTables';

/** What a node of another service returns for each item, by node name: its fields, or an error. */
export type Answers = Record<string, (IDataObject | Error)[]>;

/**
 * Runs a template through n8n's real engine, with this package's nodes and the stand-in. The built-in
 * nodes are not installed with the tests: the few that only move data are rewritten below, and every
 * other one records its parameters instead of sending them. `npm start -- --check` runs each
 * template with the real ones.
 *
 * @param file name of the template's file without the extension
 * @param answers output of triggers and other services by node name, instead of the pinned sample
 * @returns what a node told: its parameters for each item, or the output of one that only moves data
 */
export async function runTemplate(
	studio: Studio,
	file: string,
	answers: Answers = {},
): Promise<(node: string) => IDataObject[]> {
	const template = readExamples().find((example) => example.file === file)!;
	const connections = template.connections as unknown as IConnections;
	// Items do not pass a language model, which is replaced with the node that uses it.
	for (const [name, { main }] of Object.entries(connections)) if (!main) delete connections[name];
	const targets = Object.values(connections).flatMap(({ main = [] }) => main.flat());
	const start = Object.keys(connections).find((name) => !targets.some((to) => to?.node === name))!;
	const sent: Record<string, IDataObject[]> = {};
	const types: Record<string, INodeType> = {};
	const nodes = template.nodes.map((node): INode => {
		if (node.type === 'n8n-nodes-avatar-studio.avatarStudio') return node as INode;
		const type = `test.${node.name}`;
		const sample = template.pinData?.[node.name]?.map(({ json }) => json as IDataObject);
		const record = (values: IDataObject) => (sent[node.name] ??= []).push(values);
		types[type] = createNodeType(node, answers[node.name] ?? sample, record, node.name === start);
		return { ...node, type } as INode;
	});
	const { credentials } = studio;
	const { data } = await runWorkflow(nodes, connections, { credentials, start, types });
	const { error, runData } = data.resultData;
	if (error) throw new Error(error.message);
	return (node) =>
		sent[node] ??
		(runData[node] ?? [])
			.flatMap(({ data: outputs }) => outputs?.main ?? [])
			.flatMap((output) => output ?? [])
			.map(({ json }) => json);
}

function createNodeType(
	node: WorkflowNode,
	answers: Answers[string] | undefined,
	record: (values: IDataObject) => void,
	isStart: boolean,
): INodeType {
	const kind = node.type.split('.').at(-1)!;
	const outputs = Array<'main'>({ if: 2, splitInBatches: 2 }[kind] ?? 1).fill('main');
	const properties = Object.keys(node.parameters).map(createProperty);
	const type = createType(() => []);
	Object.assign(type.description, { version: node.typeVersion, outputs, properties });
	type.execute = async function () {
		if (isStart) return [(answers ?? [{}]).map(toItem)];
		const move = movers[kind];
		if (move && !answers) return await move(this);
		return [this.getInputData().flatMap((_, item) => send(this, node, item, answers, record))];
	};
	return type;
}

function createProperty(name: string): INodeProperties {
	const property: INodeProperties = { displayName: name, name, type: 'json', default: '' };
	if (name !== 'conditions') return property;
	const filter = { caseSensitive: true, typeValidation: 'loose', version: 2 } as const;
	return { ...property, type: 'filter', default: {}, typeOptions: { filter } };
}

const MILLISECONDS = { seconds: 1_000, minutes: 60_000 };

/** The nodes that only move data. */
const movers: Record<
	string,
	(context: IExecuteFunctions) => INodeExecutionData[][] | Promise<INodeExecutionData[][]>
> = {
	dataTable: async (context) => [await runDataTable(context)],
	filter: (context) => [context.getInputData().filter((_, item) => matches(context, item))],
	if: (context) => [
		context.getInputData().filter((_, item) => matches(context, item)),
		context.getInputData().filter((_, item) => !matches(context, item)),
	],
	set: (context) => [context.getInputData().map((_, item) => assign(context, item))],
	splitOut: (context) => [
		context.getInputData().flatMap(({ json: { languages, ...others } }, item) =>
			(languages as IDataObject[]).map((language) => {
				return { json: { ...others, language }, pairedItem: { item } };
			}),
		),
	],
	stopAndError: (context) => {
		throw new Error(context.getNodeParameter('errorMessage', 0) as string);
	},
	splitInBatches: (context) => {
		const state = context.getContext('node') as { left?: INodeExecutionData[] };
		state.left ??= context.getInputData();
		const batch = state.left.splice(0, context.getNodeParameter('batchSize', 0) as number);
		return batch.length > 0 ? [[], batch] : [context.getInputData(), []];
	},
	wait: async (context) => {
		const [amount, unit] = readLimit(context);
		await new Promise((resolve) => setTimeout(resolve, amount * MILLISECONDS[unit]));
		return [context.getInputData()];
	},
};

/** How long a Wait node waits: nobody calls back here, so if it waits for a call, until its limit. */
function readLimit(context: IExecuteFunctions): [amount: number, unit: keyof typeof MILLISECONDS] {
	const isForCall = context.getNodeParameter('resume', 0, 'timeInterval') === 'webhook';
	const names = isForCall ? ['resumeAmount', 'resumeUnit'] : ['amount', 'unit'];
	return names.map((name) => context.getNodeParameter(name, 0)) as ReturnType<typeof readLimit>;
}

function matches(context: IExecuteFunctions, item: number): boolean {
	return context.getNodeParameter('conditions', item, false, { extractValue: true }) as boolean;
}

function assign(context: IExecuteFunctions, item: number): INodeExecutionData {
	const pairedItem = { item };
	if (context.getNodeParameter('mode', item, 'manual') === 'raw') {
		const json = context.getNodeParameter('jsonOutput', item) as string;
		return { json: JSON.parse(json) as IDataObject, pairedItem };
	}
	const { assignments } = context.getNodeParameter('assignments', item) as {
		assignments: { name: string; value: IDataObject }[];
	};
	const values = assignments.map(({ name, value }) => [name, value]);
	return { json: Object.fromEntries(values) as IDataObject, pairedItem };
}

/** Runs a node of another service: a file that it needs must be there, as for the real node. */
function send(
	context: IExecuteFunctions,
	{ name, type, parameters }: WorkflowNode,
	item: number,
	answers: Answers[string] | undefined,
	record: (values: IDataObject) => void,
): INodeExecutionData[] {
	// A language model's chain leaves pairing to n8n, which pairs by position and single outputs only.
	const pairedItem = type.endsWith('.chainLlm') ? undefined : { item };
	try {
		const values: IDataObject = {};
		for (const key of Object.keys(parameters)) values[key] = context.getNodeParameter(key, item);
		const file = values.binaryPropertyName as string | undefined;
		if (file) values.file = context.helpers.assertBinaryData(item, file).fileName;
		record(values);
		const { json } = context.getInputData()[item]!;
		return [{ ...toItem(answers?.[item] ?? answers?.[0] ?? json), pairedItem }];
	} catch (error) {
		const { message } = error as Error;
		if (!context.continueOnFail()) throw new Error(`${name}: ${message}`);
		return [{ json: { error: message }, pairedItem: { item } }];
	}
}

function toItem(answer: IDataObject | Error): INodeExecutionData {
	if (answer instanceof Error) throw answer;
	return { json: answer };
}
