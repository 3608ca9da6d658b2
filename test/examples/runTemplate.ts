import { randomUUID } from 'node:crypto';

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
import type { Studio } from '../support/studio';

import { runDataTable } from './dataTables';

/**
 * What a node of another service returns for each item: the item's fields, or why it failed; or a
 * function of the node's parameters that returns the items.
 */
export type Answers = Record<
	string,
	(IDataObject | Error)[] | ((parameters: IDataObject) => IDataObject[])
>;

/** A finished run of a template. */
export interface TemplateRun {
	status: string;
	/** The output items of a node: all outputs of all its runs. */
	items(node: string): IDataObject[];
	/** The parameters with which a node of another service ran, one entry per item. */
	sent(node: string): IDataObject[];
	/** What a node sent, or its output items if it sends nothing. */
	results(node: string): IDataObject[];
}

const examples = readExamples();

/**
 * Runs a template through n8n's real engine, with this package's nodes and the stand-in. The built-in
 * nodes are not installed with the tests: the few that only move data are rewritten below, with
 * n8n's own filters and expressions, and every other one records its parameters instead of sending
 * them. `npm start -- --check` runs each template with the real ones. It starts with its first
 * trigger, or with the other one if that has an answer.
 *
 * @param file name of the template's file without the extension
 * @param answers output of triggers and other services by node name, instead of the pinned sample
 * @param loadNode returns n8n's own node, set up as its user would, if there is no answer for it
 * @param dryRun whether the user has added Dry Run, as the node advises
 */
export async function runTemplate(
	studio: Studio,
	file: string,
	answers: Answers = {},
	loadNode: (node: WorkflowNode) => INodeType | undefined = () => undefined,
	dryRun = false,
): Promise<TemplateRun> {
	const template = structuredClone(examples.find((example) => example.file === file)!);
	const connections = keepMain(template.connections as unknown as IConnections);
	const targets = new Set(
		Object.values(connections).flatMap(({ main = [] }) => main.flat().map((to) => to?.node)),
	);
	const used = template.nodes.filter(({ name }) => name in connections || targets.has(name));
	const triggers = used.filter(({ name }) => !targets.has(name));
	const start = triggers.find(({ name }) => answers[name]) ?? triggers[0]!;
	const sent: Record<string, IDataObject[]> = {};
	// Another run may start while this one goes on, and types have one name for all.
	const run = randomUUID();
	const types: Record<string, INodeType> = {};
	const nodes = used.map((node): INode => {
		if (node.type === 'n8n-nodes-avatar-studio.avatarStudio') {
			const { parameters } = node;
			if (dryRun && parameters.operation === 'create') {
				const field = parameters.resource === 'video' ? 'additionalFields' : 'options';
				parameters[field] = { ...(parameters[field] as IDataObject | undefined), dryRun };
			}
			return node as INode;
		}
		const type = `test.${run}.${node.name}`;
		const real = node === start || answers[node.name] ? undefined : loadNode(node);
		if (real) {
			types[type] = real;
			return { ...node, type } as INode;
		}
		const sample = template.pinData?.[node.name]?.map(({ json }) => json as IDataObject);
		const answer = answers[node.name] ?? sample;
		const record = (values: IDataObject) => (sent[node.name] ??= []).push(values);
		types[type] = createNodeType(node, answer, record, node === start);
		return { ...node, type } as INode;
	});
	const { data, status } = await runWorkflow(nodes, connections, studio.credentials, {
		start: start.name,
		types,
	});
	const getItems = (node: string) =>
		(data.resultData.runData[node] ?? [])
			.flatMap((run) => run.data?.main ?? [])
			.flatMap((output) => output ?? [])
			.map(({ json }) => json);
	return {
		status: data.resultData.error?.message ?? status,
		items: getItems,
		sent: (node) => sent[node] ?? [],
		results: (node) => sent[node] ?? getItems(node),
	};
}

/** Only the connections that items pass; language models are replaced with their node. */
function keepMain(connections: IConnections): IConnections {
	return Object.fromEntries(
		Object.entries(connections).flatMap(([name, { main }]) => (main ? [[name, { main }]] : [])),
	);
}

function createNodeType(
	node: WorkflowNode,
	answer: Answers[string] | undefined,
	record: (values: IDataObject) => void,
	isStart: boolean,
): INodeType {
	const kind = node.type.split('.').at(-1)!;
	const inputs = kind === 'merge' ? 2 : 1;
	const outputs = { if: 2, splitInBatches: 2 }[kind] ?? 1;
	return {
		description: {
			displayName: node.name,
			name: kind,
			group: ['transform'],
			version: node.typeVersion,
			description: '',
			defaults: {},
			inputs: Array<'main'>(inputs).fill('main'),
			outputs: Array<'main'>(outputs).fill('main'),
			properties: Object.keys(node.parameters).map(createProperty),
		},
		async execute() {
			if (isStart) return await Promise.resolve([((answer ?? [{}]) as IDataObject[]).map(toItem)]);
			if (kind === 'dataTable' && !answer) {
				for (const item of this.getInputData().keys()) record(readParameters(this, node, item));
				return [await runDataTable(this)];
			}
			const move = movers[kind];
			if (move && !answer) return move(this);
			return [this.getInputData().flatMap((_, index) => send(this, node, index, answer, record))];
		},
	};
}

function createProperty(name: string): INodeProperties {
	const property: INodeProperties = { displayName: name, name, type: 'json', default: '' };
	if (name !== 'conditions') return property;
	const filter = { caseSensitive: true, typeValidation: 'loose', version: 2 } as const;
	return { ...property, type: 'filter', default: {}, typeOptions: { filter } };
}

/** What Remove Duplicates has seen in earlier runs. */
const seenValues = new Set<unknown>();
beforeEach(() => seenValues.clear());

/** The nodes that only move data. */
const movers: Record<string, (context: IExecuteFunctions) => INodeExecutionData[][]> = {
	html: (context) => [
		context.getInputData().map(({ json }, item) => ({
			json: { text: (json.html as string).replace(/<[^>]*>/g, '') },
			pairedItem: { item },
		})),
	],
	limit: (context) => [
		context.getInputData().slice(0, context.getNodeParameter('maxItems', 0) as number),
	],
	noOp: (context) => [context.getInputData()],
	merge: (context) => [[...context.getInputData(0), ...context.getInputData(1)]],
	removeDuplicates: (context) => {
		// Those of one run are not compared with each other.
		const seenBefore = new Set(seenValues);
		const isNew = (_item: INodeExecutionData, index: number) => {
			const value = context.getNodeParameter('dedupeValue', index);
			seenValues.add(value);
			return !seenBefore.has(value);
		};
		return [context.getInputData().filter(isNew)];
	},
	filter: (context) => [context.getInputData().filter((_, index) => fulfills(context, index))],
	if: (context) => {
		const items = context.getInputData();
		return [
			items.filter((_, index) => fulfills(context, index)),
			items.filter((_, index) => !fulfills(context, index)),
		];
	},
	set: (context) => [
		context
			.getInputData()
			.map((_, item) => ({ json: assign(context, item), pairedItem: { item } })),
	],
	splitOut: (context) => [
		context.getInputData().flatMap(({ json }, item) => {
			const get = <T>(name: string, fallback: T) =>
				context.getNodeParameter(name, item, fallback) as T;
			const names = get('fieldsToInclude', '').split(',').filter(Boolean);
			const others = names.map((name) => [name.trim(), json[name.trim()]]);
			const { destinationFieldName: field } = get<{ destinationFieldName?: string }>('options', {});
			return (json[get('fieldToSplitOut', '')] as IDataObject[]).map((entry) => ({
				json: { ...Object.fromEntries(others), ...(field ? { [field]: entry } : entry) },
				pairedItem: { item },
			}));
		}),
	],
	splitInBatches: (context) => {
		const state = context.getContext('node') as { left?: INodeExecutionData[] };
		state.left ??= context.getInputData();
		const batch = state.left.splice(0, context.getNodeParameter('batchSize', 0) as number);
		return batch.length > 0 ? [[], batch] : [context.getInputData(), []];
	},
};

function fulfills(context: IExecuteFunctions, index: number): boolean {
	return context.getNodeParameter('conditions', index, false, { extractValue: true }) as boolean;
}

function assign(context: IExecuteFunctions, index: number): IDataObject {
	if (context.getNodeParameter('mode', index, 'manual') === 'raw') {
		return JSON.parse(context.getNodeParameter('jsonOutput', index) as string) as IDataObject;
	}
	const { assignments } = context.getNodeParameter('assignments', index) as {
		assignments: { name: string; value: IDataObject }[];
	};
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}

function readParameters(
	context: IExecuteFunctions,
	{ parameters }: WorkflowNode,
	item: number,
): IDataObject {
	const values: IDataObject = {};
	for (const name of Object.keys(parameters)) values[name] = context.getNodeParameter(name, item);
	return values;
}

/** Runs a node of another service: a file that it needs must be there, as for the real node. */
function send(
	context: IExecuteFunctions,
	node: WorkflowNode,
	index: number,
	answers: Answers[string] | undefined,
	record: (values: IDataObject) => void,
): INodeExecutionData[] {
	const { name, type } = node;
	const values = readParameters(context, node, index);
	const inputs = context.getInputData().length;
	try {
		const file = values.binaryPropertyName ?? values.inputDataFieldName;
		if (file) values.file = context.helpers.assertBinaryData(index, file as string).fileName;
		record(values);
		if (typeof answers === 'function') {
			return answers(values).map((json) => ({ json, pairedItem: { item: index } }));
		}
		// A node with one input item may return a list.
		const own = inputs === 1 ? (answers ?? [{}]) : [answers?.[index] ?? answers?.[0] ?? {}];
		// A language model's chain leaves pairing to n8n, which pairs by position and single outputs only.
		const pairedItem = type.endsWith('.chainLlm') ? undefined : { item: index };
		return own.map((answer) => ({ ...toItem(answer), pairedItem }));
	} catch (error) {
		if (!context.continueOnFail()) throw new Error(`${name}: ${(error as Error).message}`);
		return [{ json: { error: (error as Error).message }, pairedItem: { item: index } }];
	}
}

function toItem(answer: IDataObject | Error): INodeExecutionData {
	if (answer instanceof Error) throw answer;
	return { json: answer };
}
