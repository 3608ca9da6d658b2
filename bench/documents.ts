import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { projectRoot } from '../n8n/installation';

import { plots } from './plots';
import type { Machine, Results } from './results';
import { tables } from './tables';

const docs = join(projectRoot, 'docs');
const figuresFile = join(docs, 'performance.json');

/** The runs that docs/performance.json keeps: a usual one, and one with a core kept busy. */
interface Kept {
	usual?: Results;
	busy?: Results;
}

/**
 * Writes a run to docs: figures, page and plots. The other kind of run stays beside it.
 *
 * @returns the names of the files
 */
export async function writeDocuments(results: Results): Promise<string[]> {
	const before = existsSync(figuresFile)
		? (JSON.parse(readFileSync(figuresFile, 'utf8')) as Kept)
		: {};
	const kept: Kept = { ...before, [results.machine.busy ? 'busy' : 'usual']: results };
	const files: Record<string, string> = {
		'performance.json': `${JSON.stringify(kept, undefined, '\t')}\n`,
		'performance.md': await formatted(page(kept)),
		...plots(kept.usual ?? results),
	};
	for (const [name, content] of Object.entries(files)) writeFileSync(join(docs, name), content);
	return Object.keys(files).map((name) => `docs/${name}`);
}

/** As `npm run format` would have it. */
async function formatted(markdown: string): Promise<string> {
	const options = await resolveConfig(join(docs, 'performance.md'));
	return await format(markdown, { ...options, parser: 'markdown' });
}

function page({ usual, busy }: Kept): string {
	return [
		INTRODUCTION,
		...(usual ? ['## A usual run', about(usual.machine), PLOTS, tables(usual)] : []),
		...(busy ? ['## A run with another core kept busy', about(busy.machine), tables(busy)] : []),
		EXPLANATION,
		'',
	].join('\n\n');
}

function about(machine: Machine): string {
	const { date, commit, processor, cores, memoryGb, system, node, n8n } = machine;
	return [
		`Made ${date} UTC at ${commit}, in ${Math.round(machine.seconds / 60)} minutes: ${processor}, ${cores} cores,`,
		`${memoryGb} GB, ${system}; n8n ${n8n} on Node ${node}, expressions in ${machine.expressionEngine};`,
		`load of the machine before the run ${machine.load.toFixed(1)}.`,
	].join('\n');
}

const INTRODUCTION = `# Performance

What the Avatar Studio node costs, next to n8n's own HTTP Request node doing the same with the
same credential, and next to a plain loop over \`fetch\` with keep-alive (the bare wire).

    npm run bench                   everything; writes this page
    npm run bench -- --busy         the same with another processor core kept busy
    npm run bench -- --quick        2 to 6 minutes; prints the tables only
    npm run bench -- --only lists   one part; prints its table only`;

const PLOTS = `![CPU per item](performance.svg)

![Time and memory as items grow](performance-items.svg)

![Time and memory as pages grow](performance-pages.svg)`;

const EXPLANATION = `## What the figures mean

- **Contenders.** Each has a process of its own: n8n with our package installed from its tarball
  (twice: one runs our node, one the HTTP Request node), the plain loop, and the stand-in for the
  service, so that the service's work counts for nobody. They take turns, round by round, in
  changing order. A figure is the median of its rounds, with the least and the most in brackets;
  a ratio is the median of ours divided by the HTTP Request node's in the same round, because the
  speed of a machine changes from one minute to the next.
- **n8n** is started by its own \`execute\` command's code, with its database, credential storage,
  node loader and expression engine; the workflow is a trigger and one node, in production mode.
  Only the saving of the execution is left out, which is the same for both nodes.
- **CPU** is that of the whole process, all threads, until n8n has nothing left to do in the
  background. Tens of milliseconds of it belong to every execution, whatever the node: n8n makes
  the isolate for the next execution's expressions. With one item that is nearly all.
- **Evaluations** are expressions that crossed into n8n's isolate, about half a millisecond each;
  **credential reads** are times n8n fetched and decrypted the credential, about a millisecond
  each. Both are counted, not estimated.
- **Requests and connections** are what the service saw. n8n opens a connection for each request.
- **Where the main thread's time goes** is V8's sampling profiler around one run, by the package
  the code belongs to; native code counts for who called it. The profiler itself costs time, and
  the database has threads of its own, so the sums are not the CPU time of the other tables.
- **Lists.** The HTTP Request node is set up with "Update a Parameter in Each Request" and an
  expression that ends it on an empty page. It gives out pages; to get assets a Split Out node
  would have to follow, which is not counted.
- **Files.** Our node asks for the asset and then for its file; of the HTTP Request node that takes
  two in a row. Memory is what the process grew by, in a new process each time; read buffers are
  the part of it that came off the wire, in use or awaiting collection.
- **Wall time** of few items is mostly n8n's own, and varies more than the nodes differ.

## What is left, and whose it is

- **Expressions** are n8n's. Its declarative engine evaluates each field twice for each item and
  drops both values (n8n-core, routing-node.js: the main loop and \`resolveBaseUrl\`); that the node
  reads it makes three. The HTTP Request node is no declarative node: its fields are evaluated
  once. So the more of an item's fields are expressions, the smaller the lead, and with two of them
  it may be gone.
- **Credentials** are n8n's: it reads and decrypts the credential anew whenever it is asked, three
  times for each item of the HTTP Request node. Our node asks once for a request, and once for
  all pages of a list. It does not keep it from one item to the next: a field of a credential may
  be an expression on the item, and another item's key is no key to send.
- **HTTP** is n8n's: a new connection for each request, which a node cannot change. What a node can
  do is send fewer requests, and have pages in flight while it waits for the first.
- **Memory for a file** is V8's: most of what the process grows by are read buffers that nobody
  holds any more and that it has not collected yet. The plain loop leaves nearly as many behind,
  and the HTTP Request node streams as well: there is little for a node to save.
- **Our package** is the line of that name in the profile.`;
