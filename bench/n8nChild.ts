import type { INodeTypeDescription } from 'n8n-workflow';

import type { Job, Outcome, Subject } from './job';
import { saveCredential } from './n8nCredential';
import { startN8nInside, type N8nInside } from './n8nInside';
import { runInN8n } from './n8nRun';
import type { NodeUnderTest } from './nodesUnderTest';
import { profiled, type Profile } from './profile';

export interface Started {
	expressionEngine: string;
	nodeListMs: number;
}

/** The package in n8n's node list. */
export interface Listing {
	/** Milliseconds n8n takes to load the package and to make its node list anew. */
	addedMs: number;
	/** Of that, to load the package. */
	loadedMs: number;
	/** Bytes of its entries in the editor's types (nodes.json): the nodes and their tool forms. */
	typesBytes: Record<string, number>;
	/** Bytes of the HTTP Request node's entry, newest version. */
	httpRequestBytes: number;
}

let n8n: N8nInside;
let subject: Subject;

/** A process with n8n in it. */
export const answers = {
	start: async (about: Subject): Promise<Started> => {
		subject = about;
		n8n = await startN8nInside();
		await saveCredential(subject);
		return { expressionEngine: n8n.expressionEngine, nodeListMs: n8n.nodeListMs };
	},
	run: async (node: NodeUnderTest, job: Job): Promise<Outcome> =>
		await runInN8n(n8n, { node, job, subject }),
	/** @returns where the CPU of one run goes, after one that does not count */
	profile: async (node: NodeUnderTest, job: Job): Promise<Profile> => {
		await runInN8n(n8n, { node, job, subject });
		let profile: Profile = {};
		const around = async <T>(work: () => Promise<T>): Promise<T> => {
			const watched = await profiled(work);
			({ profile } = watched);
			return watched.result;
		};
		await runInN8n(n8n, { node, job, subject, around });
		return profile;
	},
	listing,
};

export type N8nAnswers = typeof answers;

async function listing(packageName: string): Promise<Listing> {
	const { loadNodes } = n8n;
	await loadNodes.unloadPackage(packageName);
	const started = performance.now();
	await loadNodes.loadPackage(packageName);
	const loadedMs = performance.now() - started;
	await loadNodes.postProcessLoaders();
	const addedMs = performance.now() - started;
	const bytes = (node: INodeTypeDescription) => Buffer.byteLength(JSON.stringify(node));
	const { nodes } = loadNodes.types;
	const own = nodes.filter(({ name }) => name.startsWith(`${packageName}.`));
	const http = nodes.filter(({ name }) => name === 'n8n-nodes-base.httpRequest');
	return {
		addedMs,
		loadedMs,
		typesBytes: Object.fromEntries(
			own.map((node) => [node.name.slice(packageName.length + 1), bytes(node)]),
		),
		httpRequestBytes: Math.max(...http.map(bytes)),
	};
}
