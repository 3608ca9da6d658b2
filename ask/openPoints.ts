/** What the service's specification leaves open, and what the node does about it. */
export interface OpenPoint {
	title: string;
	/** The question, following "Undocumented:". */
	undocumented: string;
	/** What the node assumes in one sentence, following "The node", and how it does that. */
	node: string;
	/** The setting that changes it. */
	setting?: string;
	/** The part of `npm run ask` that observes it; nothing observes the others. */
	observer?: Observer;
}

export type Observer =
	| 'voices'
	| 'pages'
	| 'assets'
	| 'errors'
	| 'write'
	| 'create'
	| 'connections';

/** What the user allows: reading only, a temporary asset as well, or creations that may cost. */
export type Mode = 'read' | 'write' | 'create';

/** By heading in docs/assumptions.md. */
const groups = {
	Requests: {
		requiredFields: {
			title: 'Required fields',
			undocumented: 'which fields a request must contain.',
			node: 'requires Script, Avatar ID and Voice for a video; Voice and Script for speech; Name, File URL and Type for an import. Empty fields are not sent, except that an empty Title becomes the first words of the script.',
			setting: 'Open an issue to have the rule loosened; nothing else refuses a request.',
			observer: 'write',
		},
		patchableFields: {
			title: 'Fields of an asset that can be changed',
			undocumented: 'whether any but the name can be changed.',
			node: 'changes the name only.',
			setting: 'Custom API Call in the HTTP Request node.',
			observer: 'write',
		},
		appearance: {
			title: 'Appearance of a video',
			undocumented: "the fields for the background's appearance, position, style and scale.",
			node: 'has no field for them.',
			setting: 'Custom Body, which is merged into the request last.',
		},
		importTypes: {
			title: 'Values of Type in an import',
			undocumented: 'the accepted values.',
			node: 'offers Image, Video, Audio and Music.',
			setting: 'Type → Custom.',
			observer: 'write',
		},
		videoValues: {
			title: 'Values of Status, Visibility, Format, Width and Height',
			undocumented: 'the accepted values, the unit of the size, and what 0 means.',
			node: 'sends any text and any whole number, and none of them unless it is set.',
		},
		providerKeys: {
			title: 'Keys of voice providers',
			undocumented: 'how an encrypted key is made, and the names of the providers.',
			node: 'sends these texts unchanged.',
		},
		avatars: {
			title: 'Avatars',
			undocumented: 'how to list them, and their fields.',
			node: 'takes the ID of an avatar as it is in the studio application.',
		},
	},
	Responses: {
		creations: {
			title: 'Speech: Create and Video: Create',
			undocumented: 'the response.',
			node: 'accepts every response. It returns a JSON object as an item, a list as one item per entry, text as `{ "data": … }`, an empty response or `{}` as `{ "success": true }`, and a file as a file. A whole number too large for JavaScript becomes text, and the `Location` of what was created is added to a single item as `location`.',
			observer: 'create',
		},
		linkField: {
			title: 'Link to a created file',
			undocumented: 'the response field that contains it.',
			node: 'uses the link if the response contains only one to a file of the kind asked for: audio for speech, a video for a video. If no extension says what links lead to, it uses the only link. If there are several, it uses none. A link in a field that is named after a preview or a sample counts as none.',
			setting: 'Link Field.',
			observer: 'create',
		},
		downloadLinks: {
			title: 'Download links',
			undocumented: 'what they lead to.',
			node: 'expects a media file with status 200. It treats a web page, JSON and any other status as a refusal.',
			observer: 'assets',
		},
		linkExpiry: {
			title: 'Expiry of download links',
			undocumented: 'by which clock a link expires, and whether the 43,200 seconds always hold.',
			node: 'uses a link right after it received it.',
			observer: 'assets',
		},
		emptyResponses: {
			title: 'Empty responses',
			undocumented: 'whether the response for an asset can be empty.',
			node: 'treats `null`, `{}` or an empty body instead of an asset as an error. In response to a change, they mean success.',
			observer: 'write',
		},
		errors: {
			title: 'Errors',
			undocumented: 'status codes and bodies.',
			node: "has its own message for every status. It takes the service's message from `message`, `error`, `detail`, `title`, `errors`, the title of a web page, or plain text.",
			observer: 'errors',
		},
	},
	Lists: {
		firstPage: {
			title: 'First page of the asset list',
			undocumented: 'whether it is page 0 or page 1.',
			node: 'starts with page 0 if it contains assets and page 1 does not repeat them; otherwise with page 1. If page 0 is refused (400, 404, 416, 422, 500) or empty, it is requested again after page 1, so that a single fault does not decide where a list starts or whether it is empty. If it is refused again, the list starts with page 1 only if a page 1 of one asset begins with the same asset; otherwise that is an error.',
			setting: 'Options → First Page.',
			observer: 'pages',
		},
		emptyLists: {
			title: 'Empty lists',
			undocumented: 'the response to a page of an empty list.',
			node: 'accepts an empty page, `null` and an empty body. If a page is refused (400, 404, 416, 422) and no other one contains an asset, the cause may also be the page size or a wrong address. If a page of one asset is not empty, the page size is halved until it is accepted. The list counts as empty if pages of one asset are empty as well, or if all of them are refused but the list of voices can be read; n8n’s log then contains a warning with the refusal. Otherwise the refusal is an error.',
			setting: 'Options → Page Size.',
			observer: 'pages',
		},
		pageSize: {
			title: 'Page size',
			undocumented: 'the default and the maximum.',
			node: 'requests 100 assets per page and does not treat a shorter page as the last one. Pages overlap by at least one asset, so 100 pages take about 114 requests. Pages of fewer than eight assets cannot overlap, nor can pages of a service that ignores the page size; such a list is read until two readings agree. A service that shows fewer records than there are and ignores Page would make a list look complete.',
			setting: 'Options → Page Size.',
			observer: 'pages',
		},
		pagesBeyondLast: {
			title: 'Pages beyond the last',
			undocumented: 'the response to them.',
			node: 'does not depend on it. A list ends with a page that starts with a known asset and contains no new one although there is room. If a page that should contain a known asset is refused, this is a limit of the service, and an error. If pages cannot overlap, a refusal after full pages is an error as well. A limit that truncates a page without an error cannot be detected.',
			setting: 'Options → Page Size.',
			observer: 'pages',
		},
		stability: {
			title: 'Changes during a reading',
			undocumented:
				'whether the order stays the same, and what happens if the list changes while it is read.',
			node: 'needs an order that stays the same. It goes back and reads again if a page does not start with a known asset, because records were deleted or the page is temporarily empty or refused. If the list changes in each of five readings, as a list in random order does, or if its first page, which held assets, is refused or empty from then on, Get Many fails; the trigger and the asset list in the editor use what they received. An asset that moves from an unread page to one that was already read is not detected.',
			observer: 'pages',
		},
		order: {
			title: 'Order of the assets',
			undocumented: 'whether the newest or the oldest come first.',
			node: 'reads a list in any order. The trigger stops after the first page without new assets if the newest come first.',
			setting: 'In the trigger: Options → Newest First.',
			observer: 'write',
		},
		listedAssetFields: {
			title: 'Fields of a listed asset',
			undocumented: 'which fields there are.',
			node: 'passes on all of them. The asset list in the editor shows the name and the type or extension, if present.',
			observer: 'assets',
		},
		voiceSearch: {
			title: 'Search for voices',
			undocumented: 'what the service searches.',
			node: "combines the service's search with its own, in the voice list of the editor and in Voice: Get Many.",
			setting: 'Filters.',
			observer: 'voices',
		},
		voiceFields: {
			title: 'Fields and order of voices',
			undocumented: 'the order, and whether every voice has every field.',
			node: 'passes on all fields and needs only the voice ID.',
			observer: 'voices',
		},
	},
	Trigger: {
		unreadableRecords: {
			title: 'Records that cannot be read',
			undocumented: 'whether the details and files of all assets can be read, and from when on.',
			node: 'retries a new asset in the next polls, after the other new assets, if its type, details or file cannot be read or are not there yet. The fifth poll emits it with `error` or `fileError`; n8n’s log contains a warning each time. If the service or the file’s host refuses (4xx other than 401, 404 and 429), the asset is emitted that way immediately. An asset that is deleted meanwhile is not emitted.',
		},
		shorterLists: {
			title: 'Lists that are suddenly shorter',
			undocumented: 'whether a shorter list is correct.',
			node: 'remembers the missing assets, so none of them counts as new when the list is complete again: 10,000 of them, or any number until others replace them.',
		},
		changedKeys: {
			title: 'Changed API keys',
			undocumented: 'whether another API key belongs to another account.',
			node: 'takes it for the same account if the list still shows a record seen before. Otherwise it starts over, without a backlog, and says so in n8n’s log. The same goes for Base URL. Accounts that share stock records are so taken for one: to watch another one, select another credential in the workflow. Another node name, event, filter or credential in the workflow always starts over. Records that were added between the last poll and the change are then not emitted. Of the key, only two hexadecimal digits of a hash are stored, which fit one key in 256.',
		},
		events: {
			title: 'Events',
			undocumented: 'whether the service sends events, callbacks or notifications.',
			node: 'reads the list at an interval and emits what is new.',
		},
	},
	Limits: {
		rateLimits: {
			title: 'Rate limits',
			undocumented: 'all of them.',
			node: 'sends at most 50 requests at a time, or one for each execution if there are more, and fewer after a 429. From a 429 or 503 it learns how many are allowed at a time or per second. Each creation route, everything else and each host of links to files has a limit of its own; `Retry-After` delays all requests of it. If a refusal has `RateLimit` headers instead that say when requests are allowed again, it waits until then. A request fails when it was refused and none of its limit has been admitted for 15 minutes of asking.',
			setting: 'Request Options → Batching; Wait If Busy (Minutes) of a creation.',
			observer: 'connections',
		},
		sizeLimits: {
			title: 'Lengths, sizes and quotas',
			undocumented: 'the longest script, the largest file and the quotas of a plan.',
			node: 'sends a script or a link of any length and reports the refusal.',
		},
	},
	IDs: {
		idFormat: {
			title: 'Format of IDs',
			undocumented: 'whether IDs of assets and avatars are always UUIDs.',
			node: 'sends any ID without spaces and slashes.',
		},
	},
	Creations: {
		lostResponses: {
			title: 'Lost responses',
			undocumented: 'whether a request was carried out if its response was lost.',
			node: 'does not send a creation again, not even with Retry On Fail. The record may exist, and the error says so. Requests that read, rename or delete are retried.',
			setting: 'Options → Retry If Outcome Is Unknown.',
		},
		videoStates: {
			title: 'Checking whether a video exists',
			undocumented: 'how to find, list or delete a video.',
			node: 'cannot check it, because there is no route. The error message refers to the studio application.',
		},
		creationStatus: {
			title: 'Status of a video or a speech',
			undocumented: 'whether the response to a creation states one, and which ones there are.',
			node: 'passes it on, and does not depend on it.',
			observer: 'create',
		},
		createdAssets: {
			title: 'Created files among the assets',
			undocumented: 'whether created videos and speeches appear in the list of assets.',
			node: 'does not depend on it. If they do, the trigger starts a workflow when a video is listed, ready or not.',
			observer: 'create',
		},
	},
	Service: {
		connections: {
			title: 'Redirects, connections and compression',
			undocumented:
				'whether the service redirects, keeps connections open and compresses its responses.',
			node: 'follows redirects on the same host only, and depends on neither of the others.',
			setting: 'Base URL in the credential, if the service redirects to another host.',
			observer: 'connections',
		},
		fastBranch: {
			title: 'Fast branch',
			undocumented: 'its endpoints, and what its key is valid for.',
			node: 'takes it for the same API at another address.',
			setting: 'A second credential with its Base URL and key.',
		},
		versions: {
			title: 'Versions',
			undocumented: 'other versions than v1, and how long v1 remains.',
			node: 'requests paths that begin with `/v1`.',
		},
	},
} as const satisfies Record<string, Record<string, OpenPoint>>;

type Groups = typeof groups;

export type PointId = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];

/** The one list of open points: `npm run ask` observes them, `npm run docs` writes them down. */
export const openPoints = Object.entries(groups).flatMap(([group, points]) =>
	Object.entries<OpenPoint>(points).map(([id, point]) => ({ ...point, id: id as PointId, group })),
);

/** @returns what the user must allow for a point to be observed */
export function getMode(observer: Observer): Mode {
	return observer === 'write' || observer === 'create' ? observer : 'read';
}
