import type { PaginationOptions } from './pagination';
import type { RateLimit } from './rateLimit';
import type { RenderingOptions } from './rendering';

/** Responses to the creation of a speech or a video: `array` is two objects, with a link each. */
export type CreationResponse = 'empty' | 'link' | 'array' | 'file';

export interface ServiceOptions {
	/**
	 * Whether the service is as the specification alone says: without look-up, avatars and fast branch,
	 * with the responses that its open places leave to `videoResponse`. Default false: as its public
	 * clients know it, which `openapi.yaml` marks with x-source.
	 */
	asSpecified?: boolean;
	apiKey?: string;
	/** The key of the fast branch. */
	fastApiKey?: string;
	/** Port of the API on 127.0.0.1; 0 is any free port. Default 0. */
	port?: number;
	/** Port of the files host on 127.0.0.1; 0 is any free port. Default 0. */
	filesPort?: number;
	/** Path prefix of the API, such as '/studio'. Default ''. */
	basePath?: string;
	/** Response of POST /v1/speech. Default 'empty', the only one `openapi.yaml` documents. */
	speechResponse?: CreationResponse;
	/** Response of POST /v1/talkingphotos of a service as specified. Default 'link'. */
	videoResponse?: CreationResponse;
	/** How a service as its clients know it renders videos. */
	rendering?: RenderingOptions;
	/** Response of GET /v1/voices. Default 'bare', or 'envelope' as specified. */
	voicesResponse?: 'bare' | 'envelope';
	/** How assets are listed. */
	pagination?: PaginationOptions;
	/** Fields of a listed asset: all of them, or id and name only. Default 'full'. */
	listedAssetFields?: 'full' | 'minimal';
	/** Whether listed voices link to an audio sample. Default false. */
	hasVoiceSamples?: boolean;
	/** Whether an avatarId must be one of the account's avatars. Default false: any ID will do. */
	refusesUnknownAvatars?: boolean;
	/** Fields of a body that are accepted although `openapi.yaml` does not list them. Default: none. */
	extraBodyFields?: string[];
	/** Default: no limit. */
	rateLimit?: RateLimit;
	/** Delay of every API response in milliseconds. Default 0. */
	latencyMs?: number;
	/** Whether the service starts with a few assets. Default true. */
	seed?: boolean;
}

export type ResolvedOptions = Required<ServiceOptions>;

const defaults = {
	asSpecified: false,
	apiKey: 'demo-key',
	fastApiKey: 'fast-demo-key',
	port: 0,
	filesPort: 0,
	basePath: '',
	speechResponse: 'empty',
	videoResponse: 'link',
	rendering: {},
	voicesResponse: 'bare',
	pagination: {},
	listedAssetFields: 'full',
	hasVoiceSamples: false,
	refusesUnknownAvatars: false,
	extraBodyFields: [],
	rateLimit: {},
	latencyMs: 0,
	seed: true,
} satisfies ResolvedOptions;

/** The defaults that differ if the service is as specified. */
const specifiedDefaults = { voicesResponse: 'envelope' } satisfies ServiceOptions;

/**
 * Fills in the defaults.
 *
 * @throws Error if an option does not exist
 */
export function resolveOptions(options: ServiceOptions): ResolvedOptions {
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	const unknown = given.find(([name]) => !(name in defaults));
	if (unknown) throw new Error(`The service has no option ${unknown[0]}.`);
	const resolved = {
		...defaults,
		...(options.asSpecified && specifiedDefaults),
		...Object.fromEntries(given),
	} as ResolvedOptions;
	return { ...resolved, basePath: resolved.basePath.replace(/\/+$/, '') };
}
