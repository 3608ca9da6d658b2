/** What the service's specification leaves open, and what the node does about it. */
export interface OpenPoint {
	/** Stable name: a report is compared with an earlier one by it. */
	id: string;
	/** Heading in docs/assumptions.md. */
	group:
		| 'Requests'
		| 'Responses'
		| 'Lists'
		| 'Trigger'
		| 'Limits'
		| 'IDs'
		| 'Creations'
		| 'Service';
	title: string;
	/** Operations of service/openapi.yaml that leave it open, or 'every operation'. */
	operations: readonly string[];
	/** The question, following "Undocumented:". */
	undocumented: string;
	/** What the node assumes in short, following "The node". */
	node: string;
	/** How it does that, in whole sentences. */
	details?: string;
	/** The setting that changes it. */
	setting?: string;
	/** Mode of `npm run ask` that observes it; nothing observes the others. */
	mode?: Mode;
}

/** What the user allows: reading only, a temporary asset as well, or creations that may cost. */
export type Mode = 'read' | 'write' | 'create';

const LIST_ASSETS = 'GET /v1/assets';
const IMPORT = 'POST /v1/assets/import/url';
const SPEECH = 'POST /v1/speech';
const VOICES = 'GET /v1/voices';
const VIDEO = 'POST /v1/talkingphotos';
const EVERY = 'every operation';

/**
 * The one list of open points: `npm run ask` observes them, `npm run docs` writes
 * docs/assumptions.md and the table in README from it.
 */
export const openPoints = [
	{
		id: 'requiredFields',
		group: 'Requests',
		title: 'Required fields',
		operations: [IMPORT, SPEECH, VIDEO, 'POST /v1/voices/add-api-key', 'PATCH /v1/assets/{id}'],
		undocumented: 'which fields a request must contain.',
		node: 'requires Script, Avatar ID and Voice for a video; Voice and Script for speech; Name, File URL and Type for an import.',
		details:
			'Empty fields are not sent, except that an empty Title becomes the first words of the script.',
		setting: 'Open an issue to have the rule loosened; nothing else refuses a request.',
		mode: 'write',
	},
	{
		id: 'patchableFields',
		group: 'Requests',
		title: 'Fields of an asset that can be changed',
		operations: ['PATCH /v1/assets/{id}'],
		undocumented: 'whether any but the name can be changed.',
		node: 'changes the name only.',
		setting: 'Custom API Call in the HTTP Request node.',
		mode: 'write',
	},
	{
		id: 'appearance',
		group: 'Requests',
		title: 'Appearance of a video',
		operations: [VIDEO],
		undocumented: "the fields for the background's appearance, position, style and scale.",
		node: 'has no field for them.',
		setting: 'Custom Body, which is merged into the request last.',
	},
	{
		id: 'videoSize',
		group: 'Requests',
		title: 'Width and Height of a video',
		operations: [VIDEO],
		undocumented: 'the unit, and what 0 means.',
		node: 'sends any whole number, and neither field unless it is set.',
	},
	{
		id: 'importTypes',
		group: 'Requests',
		title: 'Values of Type in an import',
		operations: [IMPORT],
		undocumented: 'the accepted values.',
		node: 'offers Image, Video, Audio and Music.',
		setting: 'Type → Custom.',
		mode: 'write',
	},
	{
		id: 'videoValues',
		group: 'Requests',
		title: 'Values of Status, Visibility and Format',
		operations: [VIDEO],
		undocumented: 'the accepted values.',
		node: 'sends any text.',
	},
	{
		id: 'providerKeys',
		group: 'Requests',
		title: 'Keys of voice providers',
		operations: ['POST /v1/voices/add-api-key'],
		undocumented: 'how an encrypted key is made, and the names of the providers.',
		node: 'sends these texts unchanged.',
	},
	{
		id: 'avatars',
		group: 'Requests',
		title: 'Avatars',
		operations: [VIDEO],
		undocumented: 'how to list them, and their fields.',
		node: 'takes the ID of an avatar as it is in the studio application.',
	},
	{
		id: 'creations',
		group: 'Responses',
		title: 'Speech: Create and Video: Create',
		operations: [SPEECH, VIDEO],
		undocumented: 'the response.',
		node: 'accepts every response.',
		details:
			'It returns a JSON object as an item, a list as one item per entry, text as `{ "data": … }`, an empty response or `{}` as `{ "success": true }`, and a file as a file.',
		mode: 'create',
	},
	{
		id: 'linkField',
		group: 'Responses',
		title: 'Link to a created file',
		operations: [SPEECH, VIDEO],
		undocumented: 'the response field that contains it.',
		node: 'uses the link if the response contains only one to a file of the kind asked for: audio for speech, a video for a video.',
		details:
			'If no extension says what links lead to, it uses the only link. If there are several, it uses none.',
		setting: 'Link Field.',
		mode: 'create',
	},
	{
		id: 'downloadLinks',
		group: 'Responses',
		title: 'Download links',
		operations: ['GET /v1/assets/{id}', SPEECH, VIDEO],
		undocumented: 'what they lead to.',
		node: 'expects a media file with status 200.',
		details: 'It treats a web page, JSON and any other status as a refusal.',
		mode: 'read',
	},
	{
		id: 'linkExpiry',
		group: 'Responses',
		title: 'Expiry of download links',
		operations: ['GET /v1/assets/{id}'],
		undocumented: 'by which clock a link expires, and whether the 43,200 seconds always hold.',
		node: 'uses a link right after it received it.',
		mode: 'read',
	},
	{
		id: 'emptyResponses',
		group: 'Responses',
		title: 'Empty responses',
		operations: [IMPORT, 'GET /v1/assets/{id}', 'PATCH /v1/assets/{id}', 'DELETE /v1/assets/{id}'],
		undocumented: 'whether the response for an asset can be empty.',
		node: 'treats `null`, `{}` or an empty body instead of an asset as an error.',
		details: 'In response to a change, they mean success.',
		mode: 'write',
	},
	{
		id: 'errors',
		group: 'Responses',
		title: 'Errors',
		operations: [EVERY],
		undocumented: 'status codes and bodies.',
		node: 'has its own message for every status.',
		details:
			"It takes the service's message from `message`, `error`, `detail`, `title`, `errors`, the title of a web page, or plain text.",
		mode: 'read',
	},
	{
		id: 'firstPage',
		group: 'Lists',
		title: 'First page of the asset list',
		operations: [LIST_ASSETS],
		undocumented: 'whether it is page 0 or page 1.',
		node: 'starts with page 0 if it contains assets and page 1 does not repeat them; otherwise with page 1.',
		details:
			'If page 0 is refused (400, 404, 416, 422, 500) or empty, it is requested again after page 1, so that a single fault does not decide where a list starts or whether it is empty.',
		setting: 'Options → First Page.',
		mode: 'read',
	},
	{
		id: 'emptyLists',
		group: 'Lists',
		title: 'Empty lists',
		operations: [LIST_ASSETS],
		undocumented: 'the response to a page of an empty list.',
		node: 'accepts an empty page, `null` and an empty body.',
		details:
			'If a page is refused (400, 404, 416, 422) and no other one contains an asset, the cause may also be the page size or a wrong address. The list counts as empty if pages of one asset are empty as well, or if all of them are refused but the list of voices can be read; n8n’s log then contains a warning with the refusal. Otherwise the refusal is an error.',
		setting: 'Options → Page Size.',
		mode: 'read',
	},
	{
		id: 'pageSize',
		group: 'Lists',
		title: 'Page size',
		operations: [LIST_ASSETS],
		undocumented: 'the default and the maximum.',
		node: 'requests 100 assets per page and does not treat a shorter page as the last one.',
		details:
			'Pages overlap by at least one asset, so 100 pages take about 114 requests. Pages of fewer than eight assets cannot overlap, nor can pages of a service that ignores the page size; such a list is read until two readings agree. A service that shows fewer records than there are and ignores Page would make a list look complete.',
		setting: 'Options → Page Size.',
		mode: 'read',
	},
	{
		id: 'pagesBeyondLast',
		group: 'Lists',
		title: 'Pages beyond the last',
		operations: [LIST_ASSETS],
		undocumented: 'the response to them.',
		node: 'does not depend on it.',
		details:
			'A list ends with a page that starts with a known asset and contains no new one although there is room. If a page that should contain a known asset is refused, this is a limit of the service, and an error. If pages cannot overlap, a refusal after full pages is an error as well. A limit that truncates a page without an error cannot be detected.',
		setting: 'Options → Page Size.',
		mode: 'read',
	},
	{
		id: 'stability',
		group: 'Lists',
		title: 'Changes during a reading',
		operations: [LIST_ASSETS],
		undocumented:
			'whether the order stays the same, and what happens if the list changes while it is read.',
		node: 'needs an order that stays the same.',
		details:
			'It goes back and reads again if a page does not start with a known asset, because records were deleted or the page is temporarily empty or refused. If the list changes in each of five readings, as a list in random order does, Get Many fails; the trigger and the asset list in the editor use what they received. An asset that moves from an unread page to one that was already read is not detected.',
		mode: 'read',
	},
	{
		id: 'order',
		group: 'Lists',
		title: 'Order of the assets',
		operations: [LIST_ASSETS],
		undocumented: 'whether the newest or the oldest come first.',
		node: 'reads a list in any order.',
		details: 'The trigger stops after the first page without new assets if the newest come first.',
		setting: 'In the trigger: Options → Newest First.',
		mode: 'write',
	},
	{
		id: 'listedAssetFields',
		group: 'Lists',
		title: 'Fields of a listed asset',
		operations: [LIST_ASSETS],
		undocumented: 'which fields there are.',
		node: 'passes on all of them.',
		details: 'The asset list in the editor shows the name and the type or extension, if present.',
		mode: 'read',
	},
	{
		id: 'voiceSearch',
		group: 'Lists',
		title: 'Search for voices',
		operations: [VOICES],
		undocumented: 'what the service searches.',
		node: "combines the service's search with its own, in the voice list of the editor and in Voice: Get Many.",
		setting: 'Filters.',
		mode: 'read',
	},
	{
		id: 'voiceFields',
		group: 'Lists',
		title: 'Fields and order of voices',
		operations: [VOICES],
		undocumented: 'the order, and whether every voice has every field.',
		node: 'passes on all fields and needs only the voice ID.',
		mode: 'read',
	},
	{
		id: 'unreadableRecords',
		group: 'Trigger',
		title: 'Records that cannot be read',
		operations: ['GET /v1/assets/{id}'],
		undocumented: 'whether the details and files of all assets can be read, and from when on.',
		node: 'retries a new asset in the next polls, after the other new assets, if its type, details or file cannot be read or are not there yet.',
		details:
			'The fifth poll emits it with `error` or `fileError`; n8n’s log contains a warning each time. If the service or the file’s host refuses (4xx other than 401, 404 and 429), the asset is emitted that way immediately. An asset that is deleted meanwhile is not emitted.',
	},
	{
		id: 'shorterLists',
		group: 'Trigger',
		title: 'Lists that are suddenly shorter',
		operations: [LIST_ASSETS, VOICES],
		undocumented: 'whether a shorter list is correct.',
		node: 'remembers the missing assets, so none of them counts as new when the list is complete again: 10,000 of them, or any number until others replace them.',
	},
	{
		id: 'changedKeys',
		group: 'Trigger',
		title: 'Changed API keys',
		operations: [EVERY],
		undocumented: 'whether another API key belongs to another account.',
		node: 'takes it for the same account if the list still shows a record seen before. Otherwise it starts over, without a backlog, and says so in n8n’s log.',
		details:
			'The same goes for Base URL. Accounts that share stock records are so taken for one: to watch another one, select another credential in the workflow. Another node name, event, filter or credential in the workflow always starts over. Records that were added between the last poll and the change are then not emitted. Of the key, only two hexadecimal digits of a hash are stored, which fit one key in 256.',
	},
	{
		id: 'events',
		group: 'Trigger',
		title: 'Events',
		operations: [EVERY],
		undocumented: 'whether the service sends events, callbacks or notifications.',
		node: 'reads the list at an interval and emits what is new.',
	},
	{
		id: 'rateLimits',
		group: 'Limits',
		title: 'Rate limits',
		operations: [EVERY],
		undocumented: 'all of them.',
		node: 'sends at most 50 requests at a time, or one for each execution if there are more, and fewer after a 429.',
		details:
			'From a 429 or 503 it learns how many are allowed at a time or per second. `Retry-After` delays all requests of the account. If a refusal has `RateLimit` headers instead that say when requests are allowed again, it waits until then.',
		setting: 'Request Options → Batching.',
		mode: 'read',
	},
	{
		id: 'sizeLimits',
		group: 'Limits',
		title: 'Lengths, sizes and quotas',
		operations: [EVERY, SPEECH, VIDEO],
		undocumented: 'the longest script, the largest file and the quotas of a plan.',
		node: 'sends a script or a link of any length and reports the refusal.',
	},
	{
		id: 'idFormat',
		group: 'IDs',
		title: 'Format of IDs',
		operations: ['GET /v1/assets/{id}', VIDEO],
		undocumented: 'whether IDs of assets and avatars are always UUIDs.',
		node: 'sends any ID without spaces and slashes.',
		mode: 'read',
	},
	{
		id: 'lostResponses',
		group: 'Creations',
		title: 'Lost responses',
		operations: [IMPORT, SPEECH, VIDEO],
		undocumented: 'whether a request was carried out if its response was lost.',
		node: 'does not send a creation again, not even with Retry On Fail.',
		details:
			'The record may exist, and the error says so. Requests that read, rename or delete are retried.',
		setting: 'Options → Retry If Outcome Is Unknown.',
	},
	{
		id: 'videoStates',
		group: 'Creations',
		title: 'Checking whether a video exists',
		operations: [VIDEO],
		undocumented: 'how to find, list or delete a video, and which states it goes through.',
		node: 'cannot check it, because there is no route.',
		details: 'The error message refers to the studio application.',
		mode: 'create',
	},
	{
		id: 'connections',
		group: 'Service',
		title: 'Redirects, connections and compression',
		operations: [EVERY],
		undocumented:
			'whether the service redirects, keeps connections open and compresses its responses.',
		node: 'follows redirects on the same host only, and depends on neither of the others.',
		setting: 'Base URL in the credential, if the service redirects to another host.',
		mode: 'read',
	},
	{
		id: 'fastBranch',
		group: 'Service',
		title: 'Fast branch',
		operations: [EVERY],
		undocumented: 'its endpoints, and what its key is valid for.',
		node: 'takes it for the same API at another address.',
		setting: 'A second credential with its Base URL and key.',
	},
	{
		id: 'versions',
		group: 'Service',
		title: 'Versions',
		operations: [EVERY],
		undocumented: 'other versions than v1, and how long v1 remains.',
		node: 'requests paths that begin with `/v1`.',
	},
] as const satisfies readonly OpenPoint[];

export type PointId = (typeof openPoints)[number]['id'];
