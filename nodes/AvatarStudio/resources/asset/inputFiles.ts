import type {
	IBinaryData,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { isObject } from '../../client/response/json';
import { listFirst, quote } from '../../errors/formatText';
import { UserError } from '../../errors/userError';
import type { Field } from '../../execution/field';
import type { Item } from '../../execution/nodeRun';

export const inputFile: Field = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the input field that contains the file to upload, or several names separated by commas. A name includes the fields that are numbered after it, such as data_1. If an item has no field "data", this name stands for all files of the item.',
	description:
		'Name of the input field that contains the file, or several names separated by commas: each file becomes an asset. An expression can return the file itself, such as {{ $("Form").item.binary.data }}.',
	isLocal: true,
	allowsObject: true,
};

/**
 * Reads which files of an item the user wants. A form names fields after its labels, so the default of
 * Input Binary Field stands for all files if no field has that name.
 *
 * @throws UserError if the item has no such file
 */
export function getInputFiles({ client, parameters }: Item): IBinaryData[] {
	const context = client.context as IExecutePaginationFunctions;
	const given = parameters.binaryPropertyName;
	if (isObject(given)) return [getOwnFile(context, given)];
	const files = new Map(Object.entries(context.getInputData().binary ?? {}));
	const text = given as string;
	if (text === inputFile.default && !files.has(text) && files.size > 0) {
		return [...files.values()];
	}
	const fields = text.split(',').flatMap((name) => findFields(files, name.trim()));
	return [...new Set(fields)].map((field) => files.get(field)!);
}

/** @throws UserError unless what an expression returned is a file of this execution */
function getOwnFile(context: IExecutePaginationFunctions, given: IDataObject): IBinaryData {
	const { mimeType, id } = given;
	const isFile = typeof mimeType === 'string';
	if (isFile && (!id || isOwnFile(context, id as string))) return given as unknown as IBinaryData;
	throw new UserError(
		'Input Binary Field must be the name of a field, or a file of this execution',
		'Enter a name such as data, or an expression such as {{ $("Form").item.binary.data }}.',
	);
}

/**
 * Finds the fields that a name stands for. n8n's nodes number the files of one list from 0, perhaps with
 * gaps ("data_0", "data_2"), or after the first one without gaps ("data", "data_1"): "Photo" and
 * "Photo_2" are two questions of a form (test/resources/asset/upload.test.ts).
 */
function findFields(files: Map<string, IBinaryData>, name: string): string[] {
	if (files.has(name)) {
		const fields = [name];
		while (files.has(`${name}_${fields.length}`)) fields.push(`${name}_${fields.length}`);
		return fields;
	}
	const fields = [...files.keys()];
	if (files.has(`${name}_0`)) return fields.filter((it) => it.replace(/_\d+$/, '') === name);
	throw new UserError(
		`Input Binary Field ${quote(name)} contains no file`,
		fields.length > 0
			? `Set it to the fields of files: ${listFirst(fields, quote)}.`
			: 'This item has no files. Check the output of the previous node.',
	);
}

/**
 * @returns whether a file belongs to this execution. An expression over data from outside may return the
 *   ID of any file that n8n holds. The ID of a file names its execution, unless the file is in a database,
 *   or was received by a webhook or from another workflow; such a file must be on an item of an earlier
 *   node.
 */
function isOwnFile(context: IExecutePaginationFunctions, id: string): boolean {
	const execution = `workflows/${context.getWorkflow().id}/executions/${context.getExecutionId()}`;
	const [, folder] = /^[\w-]+:([^:]+)\/[\w-]+$/.exec(id) ?? [];
	if (folder === `${execution}/binary_data`) return true;
	const proxy = context.getWorkflowDataProxy(context.getItemIndex());
	const getNode = proxy.$ as (name: string, withFiles: true) => { all: () => INodeExecutionData[] };
	const hasFile = ({ binary }: INodeExecutionData) =>
		Object.values(binary ?? {}).some((file) => file?.id === id);
	return listEarlierNodes(context).some((name) => {
		try {
			return getNode(name, true).all().some(hasFile);
		} catch {
			// The node was not executed.
			return false;
		}
	});
}

/** @returns the names of all nodes before this one; for a tool, the nodes before its agent */
function listEarlierNodes(context: IExecutePaginationFunctions): string[] {
	const { source } = context.getExecuteData();
	const previous = (source?.main ?? []).flatMap((link) => link?.previousNode ?? []);
	// No node is connected to an agent's tool, but n8n states the node before the agent as its source
	// (test/resources/asset/upload.test.ts).
	const earlier = [context.getNode().name, ...previous].flatMap((name) =>
		context.getParentNodes(name).map((node) => node.name),
	);
	return [...new Set([...previous, ...earlier])];
}
