/** How many fields have an expression on the item for a value; the others are constant. */
export type Expressions = 0 | 1 | 2;

/** What the contenders are to do; each does the same requests in its own way. */
export type Job =
	| { what: 'get' | 'create'; items: number; expressions: Expressions }
	| { what: 'list' }
	| { what: 'download' };

/** Where the contenders find what the jobs speak of. */
export interface Subject {
	url: string;
	apiKey: string;
	assetIds: string[];
	voiceId: string;
	/** An asset with a large file. */
	fileAssetId: string;
}

/** What one run of a job took. */
export interface Outcome {
	cpuMs: number;
	wallMs: number;
	/** Most memory in use during the run, and just before it. */
	peakRss: number;
	rssBefore: number;
	/** Most bytes of buffers that were in use or awaited collection, beyond those before the run. */
	buffers: number;
	/** Records that came out, or bytes of the file. */
	produced: number;
	/** Expressions that went to the isolate, and times the credential was read from the database. */
	evaluations: number;
	credentialReads: number;
}

/** The script of a speech; each item has its own. */
export function scriptOf(item: number): string {
	return `Welcome to our spring collection, part ${item}.`;
}
