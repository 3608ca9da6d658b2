import type { PointId } from './openPoints';
import type { Service } from './service';

/** What the service does at one open point. */
export interface Observation {
	/** The answer, without any value of the account. */
	observed: string;
	/** Whether the node cannot deal with it, by its own rules; undefined if none of them tells. */
	differs?: boolean;
}

export type Observations = Partial<Record<PointId, Observation | { notObserved: string }>>;

export interface AskContext {
	service: Service;
	/** Each point, as soon as it is observed. */
	observations: Observations;
	/** Small file to import. Default: an image of the account. */
	fileUrl?: string;
	avatarId?: string;
	/** Time between two looks for the created files. */
	pollMs: number;
	signal: AbortSignal;
	say: (line: string) => void;
}
