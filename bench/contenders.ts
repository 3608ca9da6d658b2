import { n8nCommand } from '../n8n/installation';

import type { WireAnswers } from './bareWire';
import { Child } from './child';
import type { Job, Outcome, Subject } from './job';
import type { N8nProcess, N8nProcesses } from './n8nProcesses';
import type { NodeUnderTest } from './nodesUnderTest';
import type { Profile } from './profile';
import type { Counts, ServiceAnswers } from './service';
import { spreadOf, type Spread } from './statistics';

export const CONTENDERS = ['ours', 'http', 'wire'] as const;
export type Contender = (typeof CONTENDERS)[number];

/** What a contender took for a job, over all rounds. */
export interface Figures {
	cpuMs: Spread;
	wallMs: Spread;
	/** Most memory in use, and how much more that is than before the run. */
	peakRss: Spread;
	grownRss: Spread;
	/** Bytes of buffers in use or awaiting collection, at most. */
	buffers: Spread;
	requests: number;
	connections: number;
	peakInFlight: number;
	evaluations: number;
	credentialReads: number;
	rounds: number;
}

/** Ours divided by the HTTP Request node's in the same round: a slow while of the machine is in both. */
export interface Ratios {
	cpuMs: Spread;
	wallMs: Spread;
	/** Only where each round had new processes: else what grows is what the rounds before left over. */
	grownRss?: Spread;
}

/** What the contenders took, and how that compares. */
export interface Comparison {
	contenders: Record<Contender, Figures>;
	ratios: Ratios;
}

/** A job and the conditions it is done under. */
export interface Case {
	job: Job;
	latencyMs: number;
	/** How many assets there are to list. */
	assets?: number;
	/** How many records or bytes must come out. */
	produces: number;
	rounds: number;
	/** Rounds before those that count. */
	warmUps: number;
	/** Which contender begins, where the rounds are measured one by one. */
	turn?: number;
}

type Runner = (job: Job) => Promise<Outcome>;

/** The three contenders, each in a process of its own, and the service in a fourth. */
export class Contenders {
	private runners?: Record<Contender, Runner>;
	private n8nChildren?: Record<NodeUnderTest, N8nProcess>;
	private wire?: Child<WireAnswers>;

	constructor(
		private readonly service: Child<ServiceAnswers>,
		private readonly n8n: N8nProcesses,
		private readonly subject: Subject,
		private readonly signal: AbortSignal,
	) {}

	/** Starts the processes, or starts them anew: memory is what a process has used so far. */
	async start(): Promise<void> {
		await this.stop();
		const [node] = n8nCommand();
		const [ours, http] = [await this.n8n.start(), await this.n8n.start()];
		const wire = new Child<WireAnswers>('bareWire.ts', { node, env: process.env });
		await wire.ask('start', this.subject);
		this.wire = wire;
		this.runners = {
			ours: async (job) => await ours.ask('run', 'ours', job),
			http: async (job) => await http.ask('run', 'http', job),
			wire: async (job) => await wire.ask('run', job),
		};
		this.n8nChildren = { ours, http };
	}

	/** Lets the contenders do a job in turns, round by round, in changing order. */
	async compare(measurement: Case): Promise<Comparison> {
		const outcomes: Record<Contender, (Outcome & Counts)[]> = { ours: [], http: [], wire: [] };
		for (let round = -measurement.warmUps; round < measurement.rounds; round++) {
			for (let turn = 0; turn < CONTENDERS.length; turn++) {
				this.signal.throwIfAborted();
				const at = turn + round + measurement.warmUps + (measurement.turn ?? 0);
				const contender = CONTENDERS[at % CONTENDERS.length]!;
				const outcome = await this.once(contender, measurement);
				if (round >= 0) outcomes[contender].push(outcome);
			}
		}
		const { ours, http, wire } = outcomes;
		const ratio = (figure: 'cpuMs' | 'wallMs') =>
			spreadOf(ours.map((outcome, round) => outcome[figure] / http[round]![figure]));
		return {
			contenders: { ours: figuresOf(ours), http: figuresOf(http), wire: figuresOf(wire) },
			ratios: { cpuMs: ratio('cpuMs'), wallMs: ratio('wallMs') },
		};
	}

	/** Where the CPU of both nodes goes, milliseconds by owner. */
	async profiles(job: Job): Promise<Record<NodeUnderTest, Profile>> {
		await this.service.ask('ready', 0);
		const { ours, http } = this.n8nChildren!;
		return {
			ours: await ours.ask('profile', 'ours', job),
			http: await http.ask('profile', 'http', job),
		};
	}

	/** Ends the processes. */
	async stop(): Promise<void> {
		const { ours, http } = this.n8nChildren ?? {};
		await Promise.all([ours?.stop(), http?.stop(), this.wire?.stop()]);
	}

	private async once(
		contender: Contender,
		{ job, latencyMs, assets, produces }: Case,
	): Promise<Outcome & Counts> {
		await this.service.ask('ready', latencyMs, assets);
		const outcome = await this.runners![contender](job);
		const counts = await this.service.ask('counts');
		if (outcome.produced !== produces || counts.violations > 0) {
			throw new Error(
				`${contender}, ${JSON.stringify(job)}: ${outcome.produced} of ${produces} came out, ${counts.violations} requests violate the contract`,
			);
		}
		return { ...outcome, ...counts };
	}
}

function figuresOf(outcomes: (Outcome & Counts)[]): Figures {
	const spread = (value: (outcome: Outcome) => number) => spreadOf(outcomes.map(value));
	const last = outcomes.at(-1)!;
	return {
		cpuMs: spread(({ cpuMs }) => cpuMs),
		wallMs: spread(({ wallMs }) => wallMs),
		peakRss: spread(({ peakRss }) => peakRss),
		grownRss: spread(({ peakRss, rssBefore }) => peakRss - rssBefore),
		buffers: spread(({ buffers }) => buffers),
		requests: last.requests,
		// A contender with keep-alive opens them in its first round.
		connections: Math.max(...outcomes.map(({ connections }) => connections)),
		peakInFlight: last.peakInFlight,
		evaluations: last.evaluations,
		credentialReads: last.credentialReads,
		rounds: outcomes.length,
	};
}
