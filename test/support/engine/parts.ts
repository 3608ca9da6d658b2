import type {
	IConnections,
	ICredentialDataDecryptedObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

/** The fields of a credential. */
export type Credentials = ICredentialDataDecryptedObject;

export const NODE = 'n8n-nodes-avatar-studio.avatarStudio';
export const TRIGGER = 'n8n-nodes-avatar-studio.avatarStudioTrigger';
export const CREDENTIAL = 'avatarStudioApi';

export function createAvatarStudioNode(parameters: INodeParameters): INode {
	return {
		id: '2',
		name: 'Avatar Studio',
		type: NODE,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [CREDENTIAL]: { id: '1', name: 'Avatar Studio account' } },
	};
}

/** Creates a node whose type has the same name as the node. */
export function createNode(name: string): INode {
	return { id: name, name, type: name, typeVersion: 1, position: [0, 0], parameters: {} };
}

/** Creates a node type that returns these items. */
export function createType(getItems: () => INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: 'Test',
			name: 'test',
			group: ['transform'],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			properties: [],
		},
		execute: async () => await Promise.resolve([getItems()]),
	};
}

/** Connects the first output of a node to another node. */
export function connectTo(node: string): IConnections[string] {
	return { main: [[{ node, type: 'main', index: 0 }]] };
}
