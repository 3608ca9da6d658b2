import type { PaginationOptions } from './pagination';
import type { RateLimit } from './rateLimit';

/** Responses to the creation of a speech or a video: `array` is two objects, with a link each. */
export type CreationResponse = 'empty' | 'link' | 'array' | 'file';

export interface ServiceOptions {
	apiKey?: string;
	/** Port of the API on 127.0.0.1; 0 is any free port. Default 0. */
	port?: number;
	/** Port of the files host on 127.0.0.1; 0 is any free port. Default 0. */
	filesPort?: number;
	/** Path prefix of the API, such as '/studio'. Default ''. */
	basePath?: string;
	/** Response of POST /v1/speech. Default 'empty', the only one `openapi.yaml` documents. */
	speechResponse?: CreationResponse;
	/** Response of POST /v1/talkingphotos. Default 'link'. */
	videoResponse?: CreationResponse;
	/** How assets are listed. */
	pagination?: PaginationOptions;
	/** Fields of a listed asset: all of them, or id and name only. Default 'full'. */
	listedAssetFields?: 'full' | 'minimal';
	/** Whether listed voices link to an audio sample. Default false. */
	hasVoiceSamples?: boolean;
	/** The avatars of the account, by ID. Default: every ID is one. */
	avatarIds?: string[];
	/** Fields of a body that are accepted although `openapi.yaml` does not list them. Default: none. */
	extraBodyFields?: string[];
	/** Default: no limit. */
	rateLimit?: RateLimit;
	/** Delay of every API response in milliseconds. Default 0. */
	latencyMs?: number;
	/** Whether the service starts with a few assets. Default true. */
	seed?: boolean;
}

/** The one avatar of the stand-in that `npm start` runs. */
export const SAMPLE_AVATAR_ID = '3f2b6c1e-8d47-4a59-9c20-7e1f5b6a4d83';

const defaults = {
	apiKey: 'demo-key',
	port: 0,
	filesPort: 0,
	basePath: '',
	speechResponse: 'empty',
	videoResponse: 'link',
	pagination: {},
	listedAssetFields: 'full',
	hasVoiceSamples: false,
	avatarIds: [],
	extraBodyFields: [],
	rateLimit: {},
	latencyMs: 0,
	seed: true,
} satisfies Required<ServiceOptions>;

/**
 * Fills in the defaults.
 *
 * @throws Error if an option does not exist
 */
export function resolveOptions(options: ServiceOptions): Required<ServiceOptions> {
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	const unknown = given.find(([name]) => !(name in defaults));
	if (unknown) throw new Error(`The service has no option ${unknown[0]}.`);
	const resolved = { ...defaults, ...Object.fromEntries(given) } as Required<ServiceOptions>;
	return { ...resolved, basePath: resolved.basePath.replace(/\/+$/, '') };
}
