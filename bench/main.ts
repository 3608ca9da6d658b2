import { resolve } from 'node:path';

import { packNode, type NodePackage } from '../n8n/nodePackage';

import { keepCoreBusy } from './busyCore';
import {
	measureFiles,
	measureGrowth,
	measureItems,
	measureLists,
	measureProfiles,
	type Extent,
} from './cases';
import { Child } from './child';
import { Contenders } from './contenders';
import { writeDocuments } from './documents';
import { machine } from './machine';
import { N8nProcesses } from './n8nProcesses';
import { measurePackage } from './packageFigures';
import type { Results } from './results';
import type { ServiceAnswers } from './service';
import { tables } from './tables';
import { judge } from './targets';

const FILE_BYTES = 200_000_000;

/** The command line, as options.mjs reads it. */
export interface BenchOptions {
	quick: boolean;
	busy: boolean;
	parts: string[];
	/** A tarball to measure in place of the sources. */
	package?: string;
	/** Whether everything is measured in full, so that the documents may be written. */
	complete: boolean;
}

/** Runs the bench and prints its tables; a complete run is written to docs as well. */
export async function runBench(options: BenchOptions, signal: AbortSignal): Promise<void> {
	const busy = options.busy ? keepCoreBusy() : undefined;
	try {
		const results = await measureAll(options, signal);
		say(`\n${tables(results)}`);
		if (options.complete) say(`\nWritten: ${(await writeDocuments(results)).join(', ')}`);
	} finally {
		busy?.stop();
	}
}

async function measureAll(options: BenchOptions, signal: AbortSignal): Promise<Results> {
	const started = Date.now();
	const { parts, quick } = options;
	const extent: Extent = { quick, fileBytes: FILE_BYTES, say };
	const where = machine();
	say('Packing the node and starting n8n …');
	const nodePackage = options.package ? givenPackage(options.package) : await packNode(signal);
	const service = new Child<ServiceAnswers>('service.ts', {
		node: process.execPath,
		env: process.env,
	});
	const subject = await service.ask('start', FILE_BYTES);
	const n8n = new N8nProcesses(subject);
	const contenders = new Contenders(service, n8n, subject, signal);
	try {
		const first = await n8n.prepare(nodePackage, signal);
		await contenders.start();
		const has = (part: string) => parts.includes(part);
		const measured = {
			items: has('items') ? await measureItems(contenders, extent) : [],
			lists: has('lists') ? await measureLists(contenders, extent) : [],
			files: has('files') ? await measureFiles(contenders, extent) : [],
			profiles: has('profile') ? await measureProfiles(contenders, extent) : [],
			growth: has('growth') ? await measureGrowth(contenders, extent) : { items: [], pages: [] },
			package: has('package')
				? await measurePackage(nodePackage, n8n, first, quick ? 5 : 11, signal)
				: undefined,
			machine: {
				...where,
				expressionEngine: first.expressionEngine,
				busy: options.busy,
				seconds: Math.round((Date.now() - started) / 1000),
			},
		};
		return { ...measured, targets: judge(measured) };
	} finally {
		await contenders.stop();
		await n8n.close();
		await service.stop();
	}
}

function givenPackage(tarball: string): NodePackage {
	return {
		name: 'n8n-nodes-avatar-studio',
		version: '0.0.0',
		tarball: resolve(tarball),
		sources: '',
	};
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
