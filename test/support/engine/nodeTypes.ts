import path from 'node:path';

import { PackageDirectoryLoader, RoutingNode } from 'n8n-core';
import {
	NodeHelpers,
	type ICredentialType,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypes,
} from 'n8n-workflow';

export type OwnTypes = Record<string, INodeType>;

/**
 * The package as n8n loads it, but from its sources, so that they are what coverage measures.
 * Under Jest n8n-core requires a node's file in the ordinary way.
 */
class NodeTypes implements INodeTypes {
	private readonly loader = new PackageDirectoryLoader(path.resolve(__dirname, '../../..'));
	private own: OwnTypes = {};

	async load(): Promise<void> {
		const { n8n } = this.loader.packageJson;
		const sources = (files: string[] = []) =>
			files.map((file) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
		const { nodes, credentials } = n8n!;
		const loaded = { nodes: sources(nodes), credentials: sources(credentials) };
		this.loader.packageJson.n8n = { ...n8n, ...loaded };
		await this.loader.loadAll();
	}

	/** @returns these types together with those of one run */
	with(own: OwnTypes): NodeTypes {
		return Object.assign(Object.create(this) as NodeTypes, { own });
	}

	credential(name: string): ICredentialType {
		return this.loader.getCredential(name).type;
	}

	getByName(type: string): INodeType {
		const [, name = ''] = type.split('.');
		// An AI agent's tool is the node itself under another name.
		return this.own[type] ?? (this.loader.getNode(name.replace(/Tool$/, '')).type as INodeType);
	}

	/** Gives a declarative node its `execute`, as n8n's own node-types.js does. */
	getByNameAndVersion(type: string, version?: number): INodeType {
		const nodeType = NodeHelpers.getVersionedNodeType(this.getByName(type), version);
		const isDeclarative = nodeType.description.requestDefaults !== undefined;
		if (isDeclarative && !nodeType.execute && !nodeType.poll) {
			nodeType.execute = async function (this: IExecuteFunctions) {
				return (await new RoutingNode(this as never, nodeType).runNode()) ?? [];
			};
		}
		return nodeType;
	}

	getKnownTypes() {
		return {};
	}
}

export const nodeTypes = new NodeTypes();
