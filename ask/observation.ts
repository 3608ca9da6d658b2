import type { AskClient } from './client';
import type { Mode, PointId } from './openPoints';

/** What the service does at one open point. */
export interface Observation {
	/**
	 * The answer. It stays the same while the service does: two reports are compared by it, so
	 * counts and measurements belong to the evidence.
	 */
	observed: string;
	/** Requests and what came back, without any value of the account. */
	evidence: string[];
	/** Whether the node assumes otherwise, so that its setting has to be changed. */
	differs?: boolean;
}

/** Why there is no observation. */
export interface Reason {
	notObserved: string;
}

export type Observations = Partial<Record<PointId, Observation | Reason>>;

/** What probes share. */
export interface ProbeContext {
	client: AskClient;
	signal: AbortSignal;
	/** Small file to import. Default: the file of an asset. */
	fileUrl?: string;
	avatarId?: string;
	/** Shows the user a line: the progress, or what could not be cleaned up. */
	say: (line: string) => void;
}

/** Requests that answer some of the open points. */
export interface Probe {
	/** What the user sees while it runs. */
	title: string;
	mode: Mode;
	points: readonly PointId[];
	/** @throws NotObserved if none of its points can be observed */
	run: (context: ProbeContext) => Promise<Observations>;
}

/** A point cannot be observed; the message says why. */
export class NotObserved extends Error {}
