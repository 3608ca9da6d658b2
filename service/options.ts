/** How the service lists assets page by page, where the specification is silent. */
export interface PaginationOptions {
	/** Number of the first page. Default 1. */
	firstPage?: 0 | 1;
	/**
	 * What page 0 answers where the first page is 1: the first page ('sameAsFirst'), an error,
	 * or an empty list. Default 'sameAsFirst'. Without effect where the first page is 0.
	 */
	pageZero?: 'sameAsFirst' | 'error' | 'empty';
	/** A larger PageSize is cut down to this one without a word. Default 100. */
	maxPageSize?: number;
	/** PageSize of a request that names none. Default 20. */
	defaultPageSize?: number;
	/** Page and PageSize have no effect: every answer is the whole list. Default false. */
	ignored?: boolean;
	/** 'shuffled' lists in another order at every request (the same orders in every run). */
	order?: 'stable' | 'shuffled';
	/** What a page after the last one answers. Default 'empty'. */
	pageBeyondLast?: 'empty' | 'error' | 'last';
}

/** More than `concurrent` requests at one time are turned away, without any effect. */
export interface RateLimit {
	concurrent: number;
	/** Default 429. */
	status?: number;
	/** Value of the retry-after header; no such header without it. */
	retryAfter?: string | number;
}

/** Bounds of an import from a URL. */
export interface ImportLimits {
	/** Default 25 MiB. */
	maxBytes?: number;
	/** Default 10,000. */
	timeoutMs?: number;
}

/** How the service behaves. */
export interface ServiceOptions {
	/** Default 'demo-key'. */
	apiKey?: string;
	/** Port of the API on 127.0.0.1; 0 is any free one. Default 0. */
	port?: number;
	/** Port of the files host on 127.0.0.1; 0 is any free one. Default 0. */
	filesPort?: number;
	/** The API is served below this path prefix, for instance '/studio'. Default ''. */
	basePath?: string;
	/** What POST /v1/speech answers. Default 'empty', as the specification's example shows. */
	speechResponse?: 'empty' | 'link' | 'audio' | 'text' | 'noContent' | 'array';
	/** What POST /v1/talkingphotos answers. Default 'id'. */
	videoResponse?: 'empty' | 'id' | 'link' | 'text' | 'noContent' | 'file' | 'array';
	/** What POST /v1/voices/add-api-key answers. Default 'empty'. */
	addApiKeyResponse?: 'empty' | 'noContent';
	pagination?: PaginationOptions;
	/** Fields of an asset in the list: all, or id and name alone. Default 'full'. */
	listedAssetFields?: 'full' | 'minimal';
	/** Body fields accepted although the specification does not name them. */
	extraBodyFields?: string[];
	/** How long a download link lives. Default 43200. */
	linkLifetimeSeconds?: number;
	rateLimit?: RateLimit;
	importLimits?: ImportLimits;
	/** Time before every answer of the API. Default 0. */
	latencyMs?: number;
	/** Whether the service starts with a few assets. Default true. */
	seed?: boolean;
}

/** Options with every default filled in. */
export interface ResolvedOptions
	extends Required<Omit<ServiceOptions, 'rateLimit' | 'pagination' | 'importLimits'>> {
	pagination: Required<PaginationOptions>;
	importLimits: Required<ImportLimits>;
	rateLimit?: RateLimit;
}

const defaults: ResolvedOptions = {
	apiKey: 'demo-key',
	port: 0,
	filesPort: 0,
	basePath: '',
	speechResponse: 'empty',
	videoResponse: 'id',
	addApiKeyResponse: 'empty',
	pagination: {
		firstPage: 1,
		pageZero: 'sameAsFirst',
		maxPageSize: 100,
		defaultPageSize: 20,
		ignored: false,
		order: 'stable',
		pageBeyondLast: 'empty',
	},
	listedAssetFields: 'full',
	extraBodyFields: [],
	linkLifetimeSeconds: 43_200,
	importLimits: { maxBytes: 25 * 1024 * 1024, timeoutMs: 10_000 },
	latencyMs: 0,
	seed: true,
};

/** Options with the defaults filled in, in the nested groups too. */
export function resolveOptions(options: ServiceOptions): ResolvedOptions {
	return {
		...defaults,
		...withoutUndefined(options),
		basePath: (options.basePath ?? '').replace(/\/+$/, ''),
		pagination: { ...defaults.pagination, ...options.pagination },
		importLimits: { ...defaults.importLimits, ...options.importLimits },
	};
}

function withoutUndefined<T extends object>(options: T): T {
	return Object.fromEntries(
		Object.entries(options).filter(([, value]) => value !== undefined),
	) as T;
}
