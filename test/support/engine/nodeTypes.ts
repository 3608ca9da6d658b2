import path from 'node:path';

import { PackageDirectoryLoader, RoutingNode } from 'n8n-core';
import {
	NodeHelpers,
	type ICredentialType,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypes,
} from 'n8n-workflow';

const ROOT = path.resolve(__dirname, '../../..');

/**
 * The package as n8n loads it, but from its sources, so that they are what coverage measures.
 * Under Jest n8n-core requires a node's file in the ordinary way.
 */
export class NodeTypes implements INodeTypes {
	private readonly loader = new PackageDirectoryLoader(ROOT);

	/** Node types that exist only in a test, by name. */
	readonly own: Record<string, INodeType> = {};

	async load(): Promise<void> {
		const { n8n } = this.loader.packageJson;
		const sources = (files: string[] = []) =>
			files.map((file) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
		this.loader.packageJson.n8n = {
			...n8n,
			nodes: sources(n8n?.nodes),
			credentials: sources(n8n?.credentials),
		};
		await this.loader.loadAll();
	}

	credential(name: string): ICredentialType {
		return this.loader.getCredential(name).type;
	}

	getByName(type: string): INodeType {
		if (this.own[type]) return this.own[type];
		const [, name = ''] = type.split('.');
		// An AI agent's tool is the node itself under another name.
		return this.loader.getNode(name.replace(/Tool$/, '')).type as INodeType;
	}

	/** A declarative node gets its `execute` here, as in n8n's own node-types.js. */
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
