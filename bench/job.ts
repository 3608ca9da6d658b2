/** What the contenders are to do; each does the same requests in its own way. */
export type Job =
	| { what: 'get' | 'create'; items: number; parameters: 'constant' | 'expression' }
	| { what: 'list' }
	| { what: 'download' };

/** Where the contenders find what the jobs speak of. */
export interface Subject {
	url: string;
	apiKey: string;
	assetIds: string[];
	voiceId: string;
	/** An asset with a large file, and the same file without a signed link. */
	fileAssetId: string;
	fileUrl: string;
}

/** What one run of a job took. */
export interface Outcome {
	cpuMs: number;
	wallMs: number;
	/** Most memory in use during the run, and just before it. */
	peakRss: number;
	rssBefore: number;
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
