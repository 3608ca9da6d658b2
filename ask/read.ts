import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { encodePathSegment } from '../nodes/AvatarStudio/client/encodePathSegment';
import { DEFAULT_PAGE_SIZE, fetchPages, fetchRecords } from '../nodes/AvatarStudio/client/list';
import { RequestError } from '../nodes/AvatarStudio/errors/userError';
import { downloadFile } from '../nodes/AvatarStudio/execution/downloadFile';
import { isHttpUrl } from '../nodes/AvatarStudio/execution/formats';
import type { Item } from '../nodes/AvatarStudio/execution/item';
import { assetList } from '../nodes/AvatarStudio/resources/asset/asset';
import { voiceList } from '../nodes/AvatarStudio/resources/voice/voice';

import type { AskContext } from './askContext';
import {
	getRecord,
	NotObserved,
	requireSuccess,
	UNSTEADY,
	type Answer,
	type Service,
} from './service';
import { describeBody, describeShape, maskFieldName } from './shape';

const FAR_PAGE = 1_000_000;
const LARGE_PAGE_SIZE = 1_000;
/** More assets are not read. */
const MAX_ASSETS = 1_000;
/** Header names of rate limits, with and without the prefix `X-`. */
const RATE_LIMIT = /^(x-)?rate-?limit|^retry-after$|quota/i;

/** The list of voices, and what `query` does to it. */
export async function readVoices({ service, observations }: AskContext): Promise<void> {
	const list = async (query: string) =>
		await fetchRecords(service.reader, voiceList, { qs: { query } });
	const all = await list('');
	if (all.length === 0) throw new NotObserved('the service lists no voices');
	const isStable = toPage(all).ids === toPage(await list('')).ids;
	observations.voiceFields = {
		observed: `\`${describeShape(all)}\`. The order ${isStable ? 'is the same in two requests' : 'changes'}.`,
		differs: all.some(({ voiceId }) => typeof voiceId !== 'string'),
	};
	const voice = all[Math.floor(all.length / 2)]!;
	const found: string[] = [];
	for (const [field, query] of Object.entries({ ...voice, anything: 'zqxjkvzqxj' })) {
		if (typeof query !== 'string' || query === '') continue;
		const isFound = (await list(query)).some(({ voiceId }) => voiceId === voice.voiceId);
		if (isFound) found.push(maskFieldName(field));
	}
	observations.voiceSearch = { observed: `A voice is found by: ${found.join(', ') || 'none'}.` };
}

/** The pages of the list, and whether the node can read it. */
export async function readPages({ service, observations }: AskContext): Promise<void> {
	const { records, error, isCut } = await readAssets(service);
	const read = async (qs: IDataObject): Promise<Page> =>
		await fetchRecords(service.reader, assetList, { qs }).then(toPage, (refusal: unknown) => {
			const { status = 0, isTransient } = refusal instanceof RequestError ? refusal.details : {};
			if (status < 300 || status === UNSTEADY || isTransient) throw refusal;
			return { ...toPage([]), text: `is refused with ${status}` };
		});
	const first: Page[] = [];
	for (const Page of [0, 1, 2]) first.push(await read({ Page, PageSize: 1 }));
	const pages = first.map(({ ids, text, count }, number) => {
		const isRepeated = count > 0 && ids === first[number - 1]?.ids;
		return `page ${number} ${isRepeated ? 'is the same' : text}`;
	});
	if (records.length === 0) {
		if (error) throw error;
		observations.emptyLists = { observed: `Of an empty list, ${pages.join(', ')}.` };
		throw new NotObserved('the account has no assets');
	}
	observations.emptyLists = { notObserved: 'the account has assets' };
	observations.firstPage = { observed: `With PageSize 1, ${pages.join(', ')}.` };

	const Page = first[0]!.count > 0 ? 0 : 1;
	const [standard, large] = [await read({}), await read({ Page, PageSize: LARGE_PAGE_SIZE })];
	const used: Page[] = [];
	while (used.length < 3) used.push(await read({ Page, PageSize: DEFAULT_PAGE_SIZE }));
	const [{ count, text }] = used as [Page];
	const total = error || isCut ? `at least ${records.length}` : records.length;
	observations.pageSize = {
		observed: `A page ${standard.text} without PageSize, ${text} with ${DEFAULT_PAGE_SIZE}, ${large.text} with ${LARGE_PAGE_SIZE}, of ${total} in all.`,
		differs: count === 0,
	};
	const orders = new Set(used.map(({ ids }) => ids)).size;
	if (count < 2) observations.stability = { notObserved: 'there are too few assets' };
	else if (orders === 2) observations.stability = { notObserved: 'the list changed meanwhile' };
	else {
		const order = orders === 1 ? 'stays the same' : 'changes from request to request';
		observations.stability = { observed: `The order ${order}.`, differs: orders > 1 };
	}
	const end = error && ` The node reads ${records.length} assets, then: ${service.explain(error)}.`;
	observations.pagesBeyondLast = {
		observed: `Page ${FAR_PAGE} ${(await read({ Page: FAR_PAGE, PageSize: 1 })).text}.${end ?? ''}`,
		differs: error !== undefined,
	};
}

/** The assets of the list, and the links of some of them. */
export async function readSomeAssets({ service, observations }: AskContext): Promise<void> {
	const listed = await listSomeAssets(service);
	observations.listedAssetFields = {
		observed: `\`${describeShape(listed)}\`.`,
		differs: listed.some(({ id }) => id === undefined),
	};
	const details = await getAsset(service, listed[0]!.id);
	const { url, ...hints } = getRecord(details);
	observations.linkExpiry = { observed: `The query of a link: ${describeQuery(details, url)}.` };
	const outcome = await tryLink(service, url, hints);
	const differs = outcome !== 'a file';
	observations.downloadLinks = { observed: `A link of an asset leads to ${outcome}.`, differs };
}

/** Status and body of requests that should fail, none of which changes anything. */
export async function readErrors({ service, observations }: AskContext): Promise<void> {
	const { baseUrl } = service.credential;
	const url = '/v1/assets';
	const GET = { method: 'GET' } as const;
	const otherKey = service.createClient({ baseUrl, apiKey: 'not-an-api-key' });
	const answers: [label: string, answer: Answer][] = [
		['No API key', await service.send({ ...GET, url: baseUrl + url, withoutKey: true })],
		['Wrong API key', await service.send({ ...GET, url }, otherKey)],
		['Unknown ID', await service.send({ ...GET, url: `${url}/${randomUUID()}` })],
		['Malformed ID', await service.send({ ...GET, url: `${url}/not-an-id` })],
		['PageSize -1', await service.send({ ...GET, url, qs: { Page: 1, PageSize: -1 } })],
	];
	const statuses = answers.map(([label, { status }]) => `${label}: ${status}.`).join(' ');
	const bodies = answers.map(([, answer]) => `\`${describeBody(answer)}\``);
	observations.errors = {
		observed: `${statuses} Body: ${listDistinct(bodies)}.`,
		differs: answers.slice(0, 3).some(([, { status }]) => status < 300),
	};
}

/** What the responses to all the other requests show. */
export function readConnections({ service, observations }: AskContext): void {
	const { exchanges } = service;
	const find = (name: string) => exchanges.flatMap(({ headers }) => headers.get(name) ?? []);
	const count = (isCounted: (exchange: { status: number }) => boolean) =>
		`${exchanges.filter(isCounted).length} of ${exchanges.length} responses`;
	observations.connections = {
		observed: `Redirects: ${count(({ status }) => status >= 300 && status < 400)}. Connection: ${listDistinct(find('connection'))}. Compression: ${listDistinct(find('content-encoding'))}.`,
	};
	const names = exchanges.flatMap(({ headers }) => [...headers.keys()].map(maskFieldName));
	observations.rateLimits = {
		observed: `Headers: ${listDistinct(names.filter((name) => RATE_LIMIT.test(name)))}. Refused with 429: ${count(({ status }) => status === 429)}.`,
	};
}

type Page = ReturnType<typeof toPage>;

/** @returns what two pages are compared by, and what a page is like, such as `has 20 assets` */
function toPage(records: IDataObject[]) {
	const ids = JSON.stringify(records.map(({ id, voiceId }) => [id, voiceId]));
	const count = records.length;
	const text = count === 0 ? 'is empty' : `has ${count} asset${count === 1 ? '' : 's'}`;
	return { ids, count, text };
}

/**
 * Reads the list of assets with the node's own rules.
 *
 * @returns the records, whether there may be more, and the error with which the node would fail
 */
export async function readAssets(service: Service, limit = MAX_ASSETS) {
	const records: IDataObject[] = [];
	let error: RequestError | undefined;
	try {
		const pages = fetchPages(service.reader, assetList, { limit, prefetch: 1 });
		for await (const page of pages) records.push(...page);
	} catch (thrown) {
		if (!(thrown instanceof RequestError) || thrown.details.isTransient) throw thrown;
		if (thrown.details.status === UNSTEADY) throw thrown;
		error = thrown;
	}
	return { records, error, isCut: records.length >= limit };
}

/** @returns up to 20 assets. @throws NotObserved if there are none */
export async function listSomeAssets(service: Service): Promise<IDataObject[]> {
	const { records, error } = await readAssets(service, 20);
	if (records.length > 0) return records;
	throw error ?? new NotObserved('the account has no assets');
}

/** Reads one asset. @throws NotObserved if it cannot be read */
export async function getAsset(service: Service, id: unknown): Promise<Answer> {
	const url = `/v1/assets/${encodePathSegment(id)}`;
	return requireSuccess(await service.send({ method: 'GET', url }));
}

/**
 * @param hints what is known of the file, as `downloadFile` takes it
 * @returns what a link leads to, by the node's own rules
 */
export async function tryLink(service: Service, link: unknown, hints: IDataObject) {
	if (!isHttpUrl(link)) return 'no link';
	const item = { client: service.reader, request: {} } as unknown as Item;
	try {
		await downloadFile(item, link, 'data', hints);
		return 'a file';
	} catch (error) {
		const { status, code } = error instanceof RequestError ? error.details : {};
		return `no file (${status ?? code ?? 'refused by the node'})`;
	}
}

/** @returns different texts, in the order of their first occurrence */
function listDistinct(texts: string[]): string {
	return [...new Set(texts)].join(' or ') || 'none';
}

/** @returns the parameters of a link; a time as seconds after the response */
function describeQuery({ headers }: Answer, link: unknown): string {
	const now = Date.parse(headers.get('date') ?? '') || Date.now();
	const parts = [...(isHttpUrl(link) ? new URL(link).searchParams : [])].map(([name, value]) => {
		// The clocks have whole seconds, and the response took some time.
		const seconds = Math.round((Number(value) - now / 1_000) / 10) * 10;
		return `${maskFieldName(name)} ${/^\d{10}$/.test(value) ? `in ${seconds} s` : 'text'}`;
	});
	return listDistinct(parts);
}
