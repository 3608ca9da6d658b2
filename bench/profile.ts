import { Session, type Profiler } from 'node:inspector/promises';

/** Whose code the CPU was in: milliseconds of this process's main thread, by owner. */
export type Profile = Record<string, number>;

const SAMPLING_US = 200;

const EXPRESSIONS = 'expressions in n8n';
const NODES = /n8n-nodes-(avatar-studio|base)\//;

/** The first that fits a file's address. */
const OWNERS: [owner: string, files: RegExp][] = [
	['our package', /n8n-nodes-avatar-studio\//],
	[
		EXPRESSIONS,
		/@n8n\/(expression-runtime|tournament)\/|\/luxon\/|workflow-data-proxy|n8n-workflow\/.*expression/,
	],
	[
		'credentials and database',
		/@n8n\/(db|typeorm)\/|\/(sqlite3|credentials-helper|credentials)\b|n8n-core\/.*(credential|cipher|encryption)/,
	],
	[
		'HTTP in n8n',
		/\/axios\/|@n8n\/backend-network\/|proxy-from-env|follow-redirects|^node:(_?https?|net|tls|url|dns|internal\/(url|streams|stream_base|dns))/,
	],
	['n8n’s HTTP Request node', /n8n-nodes-base\//],
	['n8n’s engine', /n8n-core\/|n8n-workflow\/|\/n8n\/|@n8n\/|lodash/],
	['Node.js', /^node:/],
	['the bench', /\/bench\//],
];

/** Does the work under V8's sampling profiler, the one behind --cpu-prof. */
export async function profiled<T>(
	work: () => Promise<T>,
): Promise<{ result: T; profile: Profile }> {
	const session = new Session();
	session.connect();
	try {
		await session.post('Profiler.enable');
		await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_US });
		await session.post('Profiler.start');
		const result = await work();
		const { profile } = await session.post('Profiler.stop');
		return { result, profile: byOwner(profile) };
	} finally {
		session.disconnect();
	}
}

function byOwner({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Profile {
	const frames = new Map(nodes.map((node) => [node.id, node]));
	const parents = new Map<number, number>();
	for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
	const profile: Profile = {};
	for (const [index, id] of samples.entries()) {
		const owner = ownerOf(id);
		if (owner === undefined) continue;
		profile[owner] = (profile[owner] ?? 0) + timeDeltas[index]! / 1000;
	}
	return profile;

	/** What native code takes is whoever called it. */
	function ownerOf(id: number | undefined): string | undefined {
		const frame = id === undefined ? undefined : frames.get(id)?.callFrame;
		if (!frame) return 'native code';
		if (frame.functionName === '(idle)' || frame.url.includes('inspector')) return undefined;
		if (frame.functionName === '(garbage collector)') return 'garbage collection';
		if (frame.url === '') return ownerOf(parents.get(id!));
		const owner = OWNERS.find(([, files]) => files.test(frame.url))?.[0] ?? 'other packages';
		if (owner !== EXPRESSIONS) return owner;
		return `${EXPRESSIONS}, ${isAskedByNode(id) ? 'asked for by the node' : 'of n8n’s own accord'}`;
	}

	/** Else it is n8n's declarative engine that evaluates a field, and drops the value. */
	function isAskedByNode(id: number | undefined): boolean {
		const frame = id === undefined ? undefined : frames.get(id)?.callFrame;
		return frame !== undefined && (NODES.test(frame.url) || isAskedByNode(parents.get(id!)));
	}
}
