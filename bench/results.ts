import type { Comparison } from './contenders';
import type { PackageFigures } from './packageFigures';
import type { Profile } from './profile';
import type { Target } from './targets';

/** One case as it was measured. */
export interface CaseResult extends Comparison {
	title: string;
	/** How many items, pages or bytes the job was about. */
	size: number;
	latencyMs: number;
}

/** Where the CPU of both nodes goes in one job. */
export interface ProfileResult {
	title: string;
	items: number;
	ours: Profile;
	http: Profile;
}

/** Where and on what a run was made. */
export interface Machine {
	date: string;
	/** Of the package's sources. */
	commit: string;
	processor: string;
	cores: number;
	memoryGb: number;
	system: string;
	node: string;
	n8n: string;
	/** The class that expressions cross into. */
	expressionEngine: string;
	/** Processor load of the last minute, before the run. */
	load: number;
	/** Whether another core was kept busy. */
	busy: boolean;
	seconds: number;
}

/** One run of the bench. */
export interface Results {
	machine: Machine;
	items: CaseResult[];
	lists: CaseResult[];
	files: CaseResult[];
	profiles: ProfileResult[];
	growth: { items: CaseResult[]; pages: CaseResult[] };
	package?: PackageFigures;
	targets: Target[];
}
