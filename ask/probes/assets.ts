import { type Answer, requireSuccess, type AskClient } from '../client';
import { documentedFields } from '../contract';
import { NotObserved, type Observation, type Probe, type Reason } from '../observation';
import { describeAnswer, describeShape, isUuid, maskFieldName } from '../shape';

type Asset = Record<string, unknown>;

const DOCUMENTED_LIFETIME = 43_200;
const LINKS_TO_OPEN = 3;

/** One page of the list, one asset and its link. */
export const assets: Probe = {
	title: 'assets and their links',
	mode: 'read',
	points: ['listedAssetFields', 'idFormat', 'downloadLinks', 'linkExpiry'],
	run: async ({ client }) => {
		const listed = await listSomeAssets(client);
		const observations = {
			listedAssetFields: observeFields(listed),
			idFormat: observeIds(listed),
		};
		try {
			const details: Answer[] = [];
			for (const { id } of listed.slice(0, LINKS_TO_OPEN)) {
				details.push(await getAsset(client, id));
			}
			return {
				...observations,
				linkExpiry: observeExpiry(details[0]!),
				downloadLinks: await observeLinks(client, details),
			};
		} catch (error) {
			const reason = { notObserved: (error as NotObserved).message };
			return { ...observations, linkExpiry: reason, downloadLinks: reason };
		}
	},
};

/** @returns the assets of a page. @throws NotObserved if it is no page */
export function readAssets(answer: Answer): Asset[] {
	return readRecords(answer, 'assets');
}

/** @returns the records of a list, which may also be an empty body. @throws NotObserved otherwise */
export function readRecords({ json, body, label }: Answer, field: string): Asset[] {
	if (body.length === 0 || json === null) return [];
	const list = (json as Record<string, unknown> | undefined)?.[field];
	if (!Array.isArray(list)) throw new NotObserved(`${label} responded without a list of ${field}`);
	return list.filter((entry): entry is Asset => typeof entry === 'object' && entry !== null);
}

/** @returns up to 20 assets. @throws NotObserved if there are none */
export async function listSomeAssets(client: AskClient): Promise<Asset[]> {
	let answer: Answer | undefined;
	// If page 0 contains assets, it is the first one or the same as the first.
	for (const Page of [0, 1]) {
		answer = await client.send('GET', '/v1/assets', { query: { Page, PageSize: 20 } });
		const found = answer.status === 200 ? readAssets(answer) : [];
		if (found.length > 0) return found;
	}
	requireSuccess(answer!);
	throw new NotObserved('the account has no assets');
}

/** Reads one asset. @throws NotObserved if it cannot be read */
export async function getAsset(client: AskClient, id: unknown): Promise<Answer> {
	return requireSuccess(await client.send('GET', '/v1/assets/{id}', { id: String(id) }));
}

/** @returns a number of assets in words */
export function countAssets(count: number): string {
	return count === 1 ? '1 asset' : `${count} assets`;
}

/** Compares the fields of records with the documented ones. */
export function compareFields(records: Asset[], schema: 'Asset' | 'Voice'): string {
	const documented = documentedFields(schema);
	const actual = [...new Set(records.flatMap(Object.keys))];
	const isEverywhere = (name: string) => records.every((record) => name in record);
	const list = (title: string, names: string[]) =>
		names.length === 0
			? []
			: `${title}: ${[...new Set(names.map(maskFieldName))].sort().join(', ')}.`;
	return [
		list('Fields', actual.filter(isEverywhere)),
		list(
			'In some records only',
			actual.filter((name) => !isEverywhere(name)),
		),
		list(
			'Documented, but missing',
			documented.filter((name) => !actual.includes(name)),
		),
		list(
			'Not documented',
			actual.filter((name) => !documented.includes(name)),
		),
	]
		.flat()
		.join(' ');
}

function observeFields(listed: Asset[]): Observation {
	return {
		observed: compareFields(listed, 'Asset'),
		evidence: [`GET /v1/assets → ${countAssets(listed.length)}: ${describeShape(listed)}`],
	};
}

function observeIds(listed: Asset[]): Observation {
	const ids = listed.map(({ id }) => id);
	return {
		observed: ids.every(isUuid) ? 'IDs of assets are UUIDs.' : 'IDs of assets are not all UUIDs.',
		evidence: [`${ids.filter(isUuid).length} of ${ids.length} IDs of assets are UUIDs`],
		differs: ids.some((id) => typeof id !== 'string' || !/^[^\s/]+$/.test(id)),
	};
}

function observeExpiry(answer: Answer): Observation | Reason {
	const link = readLink(answer);
	const date = Date.parse(answer.headers.get('date') ?? '');
	for (const [name, value] of link.searchParams) {
		const lifetime = readLifetime(name, value, date || Date.now());
		if (lifetime === undefined) continue;
		// The clocks have whole seconds, and the response took some time.
		const isDocumented = Math.abs(lifetime - DOCUMENTED_LIFETIME) <= 5;
		const seconds = isDocumented ? DOCUMENTED_LIFETIME : Math.round(lifetime / 10) * 10;
		return {
			observed: `A link expires ${seconds} seconds after the response, by the clock of ${date ? 'the service' : 'this computer'}.`,
			evidence: [
				describeAnswer(answer),
				`By its parameter ${maskFieldName(name)}, the link is valid for ${Math.round(lifetime)} seconds`,
			],
			differs: !isDocumented,
		};
	}
	return { notObserved: 'the link shows no expiry in its query' };
}

/** @returns the seconds a parameter of a link allows, if it looks like an expiry */
function readLifetime(name: string, value: string, now: number): number | undefined {
	const number = Number(value);
	if (/expires/i.test(name) && number > 0 && number < 1e8) return number;
	const isTime = /^\d{10}$|^\d{13}$/.test(value);
	const time = isTime ? number * (value.length === 10 ? 1_000 : 1) : Date.parse(value);
	const isExpiry = isTime ? /^e|exp/i.test(name) : /^se$|exp/i.test(name);
	return isExpiry && !Number.isNaN(time) ? (time - now) / 1_000 : undefined;
}

async function observeLinks(client: AskClient, details: Answer[]): Promise<Observation> {
	const results = [];
	for (const answer of details) {
		const link = readLink(answer);
		const { origin } = new URL(client.options.baseUrl);
		const host = link.origin === origin ? 'the host of the API' : 'another host';
		results.push({ host, ...(await openLink(client, link.href)) });
	}
	const hosts = [...new Set(results.map(({ host }) => host))].join(' and ');
	const outcomes = [...new Set(results.map(({ outcome }) => outcome))].sort().join(' or ');
	return {
		observed: `A link of an asset leads to ${outcomes}, on ${hosts}.`,
		evidence: results.map(({ evidence }) => evidence),
		differs: results.some(({ isFile }) => !isFile),
	};
}

/** Opens a link without the API key and judges the response as the node does. */
export async function openLink(client: AskClient, href: string) {
	const { status, headers } = await client.openLink(href);
	const type = (headers.get('content-type') ?? 'no content type').split(';')[0]!;
	const isFile = status === 200 && !/html|json/.test(type);
	return {
		isFile,
		outcome: isFile ? 'a file' : `status ${status} (${type})`,
		evidence: `GET download link without the API key → ${status} ${type}`,
	};
}

function readLink({ label, json }: Answer): URL {
	const { url } = (json ?? {}) as { url?: unknown };
	try {
		return new URL(String(url));
	} catch {
		throw new NotObserved(`${label} responded without a link`);
	}
}
