import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Client } from '../../nodes/AvatarStudio/client/client';
import { fetchPages, type ListEndpoint } from '../../nodes/AvatarStudio/client/list';
import type { PageOptions } from '../../nodes/AvatarStudio/client/paginate';
import { resources } from '../../nodes/AvatarStudio/resources';
import { buildNameContains } from '../../nodes/AvatarStudio/resources/filters';
import { getMany } from '../../nodes/AvatarStudio/resources/getMany';
import { buildLocator, buildModes } from '../../nodes/AvatarStudio/resources/locator';
import { operation } from '../../nodes/AvatarStudio/resources/operation';
import type { RecordType } from '../../nodes/AvatarStudio/resources/recordType';
import { toText } from '../../nodes/AvatarStudio/resources/texts';
import { NEW_RECORDS } from '../../nodes/AvatarStudio/trigger/change';
import { EVENTS } from '../../nodes/AvatarStudio/trigger/events';
import { getError, getErrorText, searchList } from '../support/engine/engine';
import { TriggerWorkflow } from '../support/engine/triggerWorkflow';
import { optional } from '../support/optional';
import { createLocator } from '../support/parameters';
import { sendJson, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';
import { getItemIds } from '../support/trigger';

// Whether or not a list of the service has a cursor, these tests add a resource and an event with one, before the engine
// loads the nodes: its Get Many, By Name, its picker and the trigger then run as those of the others do.

const recordings: ListEndpoint = {
	url: '/v1/recordings',
	property: 'recordings',
	paging: {
		byCursor: {
			query: (cursor, size) => ({ cursor, pageSize: size }),
			next: ({ nextCursor }) => nextCursor,
		},
	},
};
const recordingType: RecordType = {
	label: 'Recording',
	list: recordings,
	describe: ({ id, name }) => ({ id: toText(id), label: toText(name) }),
};
const recordingId = buildLocator(recordingType, {
	description: 'The recording',
	...buildModes(recordingType, 'Take 7'),
});
const texts = { name: '', action: '', description: '' };
const getAll = operation({
	...texts,
	value: 'getAll',
	route: 'GET /v1/recordings',
	...getMany(recordingType, [buildNameContains('recordings')]),
});
const get = operation({
	...texts,
	value: 'get',
	route: 'GET /v1/recordings/{recordingId}',
	fields: [recordingId],
});
resources.push({ option: { name: 'Recording', value: 'recording' }, operations: [getAll, get] });
EVENTS.push({
	name: 'New Recording',
	value: 'recordingAdded',
	occurrence: 'a recording is added',
	fields: [],
	createSource: () => ({
		list: recordings,
		idField: 'id',
		change: NEW_RECORDS,
		toItem: (json) => ({ json }),
	}),
});

const studio = useStudio();

interface Query {
	cursor: string | null;
	size: number;
	/** The number of the request. */
	number: number;
}

/** Starts a host that responds so to a request for a page: with a body, or with an error of a status. */
async function startHost(respond: (query: Query) => object | number) {
	const queries: string[] = [];
	const host = await startRawHost((request, response) => {
		const { pathname, search, searchParams } = new URL(request.url!, 'http://host');
		const number = queries.push(search);
		const cursor = searchParams.get('cursor');
		const isRecord = pathname !== recordings.url;
		const answer = isRecord
			? { id: pathname.split('/').at(-1) }
			: respond({ cursor, size: Number(searchParams.get('pageSize')), number });
		if (typeof answer !== 'number') return sendJson(response, answer);
		response.statusCode = answer;
		sendJson(response, { message: `Words about ${answer} in response ${number}` });
	});
	return { credentials: host.credentials, queries };
}

type Host = Awaited<ReturnType<typeof startHost>>;

/** Runs Get Many. */
const readAll = async ({ credentials }: Host, more: INodeParameters = { returnAll: true }) => {
	const parameters = { resource: 'recording', operation: 'getAll', ...more };
	const { json, error } = await studio.getOutcome(parameters, { credentials });
	return { ids: json.map(({ id }) => id), error, text: getErrorText(error) };
};

/** Reads a list as what takes its pages does. */
const readList = async (
	list: ListEndpoint,
	{ credentials }: Pick<Host, 'credentials'>,
	options: Partial<PageOptions> = {},
) => {
	const context = new TriggerWorkflow({}, credentials).createContext();
	const client = Client.forPoll(context, new AbortController().signal);
	const records: IDataObject[] = [];
	for await (const page of fetchPages(client, list, options)) records.push(...page);
	return records.map(({ id }) => id);
};

const build = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => ({ id: `${from + index}` }));
const buildIds = (count: number) => build(0, count).map(({ id }) => id);

/** Responds with a part of so many recordings, from the one whose number is the cursor. */
const list = (count: number) => {
	return ({ cursor, size }: Query) => {
		const start = Number(cursor);
		const end = Math.min(start + size, count);
		return { recordings: build(start, end), nextCursor: end < count ? `${end}` : null };
	};
};

test('I get each page by the cursor of the one before, as it was sent', async () => {
	const cursors = ['', 'a+b/c==', 'ä & b?#%20', '"{}'];
	const host = await startHost(({ number }) => ({
		recordings: build(number, number + 1),
		nextCursor: cursors[number],
	}));
	expect((await readAll(host)).ids).toEqual(['1', '2', '3', '4']);
	const [first, ...others] = host.queries.map((query) => [...new URLSearchParams(query)]);
	const size = ['pageSize', '100'];
	expect(first).toEqual([size]);
	expect(others).toEqual(cursors.slice(1).map((cursor) => [['cursor', cursor], size]));
});

test.each<[string, IDataObject]>([
	['null', { nextCursor: null }],
	['empty', { nextCursor: '' }],
	['0', { nextCursor: 0 }],
	['absent', {}],
])('A cursor that is %s is the end', async (_what, end) => {
	const host = await startHost(() => ({ recordings: build(0, 100), ...end }));
	expect((await readAll(host)).ids).toEqual(buildIds(100));
	expect(host.queries).toHaveLength(1);
});

test.each([
	['a number', 7, '7'],
	['a large number', 7e20, '700000000000000000000'],
	['an object', { after: 'a' }, '{"after":"a"}'],
])('A cursor may be %s', async (_what, nextCursor, sent) => {
	const host = await startHost(({ cursor }) => ({
		recordings: [{ id: cursor ?? 'first' }],
		nextCursor: cursor === null ? nextCursor : null,
	}));
	expect((await readAll(host)).ids).toEqual(['first', sent]);
});

test('An empty page is no end, if it has a cursor', async () => {
	const host = await startHost(({ number }) => ({
		recordings: number % 2 === 0 ? build(number, number + 1) : [],
		nextCursor: number < 6 && `${number}`,
	}));
	expect((await readAll(host)).ids).toEqual(['2', '4', '6']);
});

test.each<object>([
	[{ recordings: [], nextCursor: null }],
	[{ recordings: null, nextCursor: null }],
	[[]],
	// As JSON, it is null.
	[{ toJSON: () => null }],
])('A list without records is read with one request: %j', async (body) => {
	const host = await startHost(() => body);
	expect(await readAll(host)).toMatchObject({ ids: [], error: undefined });
	expect(host.queries).toHaveLength(1);
});

test.each([
	[1, 1, ['?pageSize=1']],
	[100, 100, ['?pageSize=100']],
	[150, 150, ['?pageSize=100', '?cursor=100&pageSize=100']],
	[900, 250, ['?pageSize=100', '?cursor=100&pageSize=100', '?cursor=200&pageSize=100']],
])('A limit of %i gives me %i recordings, with no more requests', async (limit, count, queries) => {
	const host = await startHost(list(250));
	expect((await readAll(host, { limit })).ids).toEqual(buildIds(count));
	expect(host.queries).toEqual(queries);
	expect(await readList(recordings, host, { limit, size: Math.min(limit, 100) })).toHaveLength(
		count,
	);
	expect(host.queries).toEqual([...queries, ...queries]);
});

test('With a filter, pages are read until there are as many as my limit', async () => {
	const host = await startHost(({ number }) => ({
		recordings: [{ id: `${number}`, name: number % 3 === 0 ? 'Wanted' : 'Other' }],
		nextCursor: `${number}`,
	}));
	const { ids } = await readAll(host, { limit: 2, filters: { nameContains: 'want' } });
	expect(ids).toEqual(['3', '6']);
	expect(host.queries).toHaveLength(6);
});

describe('A list that leads back to a page that was read', () => {
	it.each([1, 2, 5])('%i pages before is an error that says so', async (back) => {
		const host = await startHost(({ number }) => ({
			recordings: build(number, number + 1),
			nextCursor: `${number % back}`,
		}));
		const { ids, text } = await readAll(host);
		expect(ids).toEqual([]);
		expect(text).toContain('The list of recordings has no end: the service sent the same cursor');
		expect(text).toContain('set a Limit');
		expect(host.queries).toHaveLength(back + 1);
	});

	it('gives me what comes before, if I set a limit', async () => {
		const host = await startHost(({ number }) => ({
			recordings: build(number, number + 1),
			nextCursor: 'same',
		}));
		expect((await readAll(host, { limit: 2 })).ids).toEqual(['1', '2']);
	});
});

test.each([400, 403, 404, 410, 422, 500])(
	'A cursor that is rejected with %i is an error, never a part of the list',
	async (status) => {
		const host = await startHost((query) => (query.number === 3 ? status : list(500)(query)));
		const { ids, error, text } = await readAll(host);
		expect(ids).toEqual([]);
		expect(error?.httpCode).toBe(String(status));
		expect(text).toContain(`Words about ${status}`);
		expect(host.queries).toHaveLength(3);
	},
);

describe('If the service rejects a page size above 30,', () => {
	const respond = (query: Query) => (query.size > 30 ? 400 : list(60)(query));

	it('smaller ones are tried', async () => {
		const host = await startHost(respond);
		expect((await readAll(host)).ids).toEqual(buildIds(60));
		const sizes = host.queries.map((query) => new URLSearchParams(query).get('pageSize'));
		expect(sizes).toEqual(['100', '50', '25', '25', '25']);
	});

	it('in whatever size, I read its words about the size that was wanted', async () => {
		const host = await startHost(() => 400);
		expect((await readAll(host)).text).toContain('Words about 400 in response 1');
		expect(host.queries).toHaveLength(5);
	});

	it('none but the Page Size that I set is tried', async () => {
		const host = await startHost(respond);
		const { text } = await readAll(host, { returnAll: true, options: { pageSize: 40 } });
		expect(text).toContain('Words about 400');
		expect(host.queries).toEqual(['?pageSize=40']);
	});
});

test.each<[string, (query: Query) => object]>([
	['always has a new cursor', ({ number }) => ({ recordings: [], nextCursor: `${number}` })],
	[
		'has large recordings without end',
		({ number }) => ({
			recordings: [{ id: number, name: 'x'.repeat(7_500_000) }],
			nextCursor: `${number}`,
		}),
	],
	[
		'has too many of them',
		({ number }) => ({
			recordings: build(30_000 * number, 30_000 * (number + 1)),
			nextCursor: `${number}`,
		}),
	],
])(
	'A service that %s is an error that says what to set',
	async (_what, respond) => {
		const { text } = await readAll(await startHost(respond));
		expect(text).toContain('There are more recordings than the node reads');
		expect(text).toContain('Limit');
	},
	120_000,
);

describe('A list of another form', () => {
	const paging = (next: (body: IDataObject) => unknown): ListEndpoint['paging'] => ({
		byCursor: { query: (cursor) => ({ after: cursor }), next },
	});

	it('is read by another property, in an envelope and without a page size', async () => {
		const next = ({ meta }: IDataObject) => (meta as IDataObject | undefined)?.next_token;
		const takes = { url: '/v1/takes', property: 'data', paging: paging(next) };
		const host = await startRawHost((request, response) => {
			const after = new URL(request.url!, 'http://host').searchParams.get('after');
			const meta = after === '2' ? undefined : { next_token: Number(after) + 1 };
			sendJson(response, { data: [{ id: after }], meta });
		});
		expect(await readList(takes, host)).toEqual([null, '1', '2']);
	});

	it('is read whole if it is bare, because nothing names a further page', async () => {
		const host = await startHost(() => build(0, 3));
		const next = ({ nextCursor }: IDataObject) => nextCursor;
		expect(await readList({ ...recordings, paging: paging(next) }, host)).toEqual(buildIds(3));
	});

	it('is requested once if it is rejected, because there is no other page size to try', async () => {
		const host = await startHost(() => 400);
		const read = readList({ ...recordings, paging: paging(() => undefined) }, host);
		await expect(read).rejects.toThrow('The service rejected the request');
		expect(host.queries).toEqual(['']);
	});

	it('may be missing as a whole, but not a page of it', async () => {
		const optionalList = { ...recordings, isOptional: true } as const;
		const missing = await startHost(() => 404);
		await expect(readList(optionalList, missing)).rejects.toThrow('has no list of recordings');
		const expired = await startHost((query) => (query.cursor === null ? list(500)(query) : 404));
		await expect(readList(optionalList, expired)).rejects.toThrow('The service found nothing');
	});
});

const between = (min: number, max: number) => fc.integer({ min, max });

const models = fc.record({
	count: between(0, 60),
	pageSize: between(1, 20),
	maxSize: between(1, 25),
	limit: optional(between(1, 70), 2),
	/** How often in a row the page behind a cursor is empty, if it is. */
	empty: fc.array(between(0, 2), { minLength: 5, maxLength: 5 }),
	isNumber: fc.boolean(),
	end: fc.constantFrom(null, '', 0, false, undefined),
	/** So many are added, in front or at the end, when a request arrives. */
	insert: fc.record({ request: between(2, 6), count: between(0, 9), isInFront: fc.boolean() }),
});
type Model = typeof models extends fc.Arbitrary<infer T> ? T : never;

/** Lists recordings by their position, so that those behind one that is added come twice. */
function createRespond(model: Model) {
	const { empty, insert, maxSize, isNumber, end } = model;
	let stored = build(0, model.count);
	return ({ cursor, size, number }: Query) => {
		if (number === insert.request) {
			const added = build(1_000, 1_000 + insert.count);
			stored = insert.isInFront ? [...added, ...stored] : [...stored, ...added];
		}
		const [start = 0, empties = 0] = (cursor ?? '').split('.').map(Number);
		const isEmpty = empties < empty[start % empty.length]!;
		const next = isEmpty ? start : start + Math.min(size, maxSize);
		const name = `${next}.${isEmpty ? empties + 1 : 0}`;
		const nextCursor = isNumber && !isEmpty ? next : name;
		const isLast = !isEmpty && next >= stored.length;
		const recordings = isEmpty ? [] : stored.slice(start, next);
		return { recordings, nextCursor: isLast ? end : nextCursor };
	};
}

async function checkModel(model: Model): Promise<void> {
	const respond = createRespond(model);
	const shown = new Set<string>();
	let superfluous = 0;
	const { limit = Infinity, pageSize } = model;
	const host = await startHost((query) => {
		if (shown.size >= limit) superfluous++;
		const body = respond(query);
		for (const { id } of body.recordings) shown.add(id);
		return body;
	});
	const wanted = model.limit === undefined ? { returnAll: true } : { limit: model.limit };
	const { ids, error } = await readAll(host, { ...wanted, options: { pageSize } });
	expect(error).toBeUndefined();
	expect(superfluous).toBe(0);
	expect(ids).toEqual([...shown].slice(0, limit));
	if (limit === Infinity) expect(ids).toEqual(expect.arrayContaining(buildIds(model.count)));
	else expect(ids.length).toBeGreaterThanOrEqual(Math.min(limit, model.count));
}

test('Each recording comes once, with no request too many, in random cases', async () => {
	const property = fc.asyncProperty(models, checkModel);
	await expect(fc.assert(property, { numRuns: 100, seed: 1 })).resolves.toBeUndefined();
}, 60_000);

describe('In the panel,', () => {
	const { byCursor } = recordings.paging as Extract<ListEndpoint['paging'], { byCursor: object }>;
	const query = (cursor?: string) => ({ cursor });
	it.each<[string, ListEndpoint['paging'], string[]]>([
		[
			'with numbers',
			{ byNumber: (Page, PageSize) => ({ Page, PageSize }) },
			['firstPage', 'pageSize'],
		],
		['with a cursor', { byCursor }, ['pageSize']],
		['with a cursor and no page size', { byCursor: { ...byCursor, query } }, []],
		['without pages', undefined, []],
	])('a list %s offers what it has', (_what, paging, options) => {
		const { fields } = getMany({ ...recordingType, list: { ...recordings, paging } });
		const names = fields.map(({ name }) => name);
		expect(names).toEqual(['returnAll', 'limit', ...(options.length > 0 ? ['options'] : [])]);
		const offered = fields.find(({ name }) => name === 'options')?.options ?? [];
		expect(offered.map(({ name }) => name)).toEqual(options);
	});

	it('a First Page that the editor keeps from another list changes nothing', async () => {
		const host = await startHost(list(2));
		expect((await readAll(host, { options: { firstPage: '1' } })).ids).toEqual(buildIds(2));
	});
});

const named = (query: Query) => {
	const { recordings: page, ...rest } = list(250)(query);
	return { ...rest, recordings: page.map(({ id }) => ({ id, name: `Take ${id}` })) };
};

test('I find a recording of the third page by its name', async () => {
	const parameters = { resource: 'recording', operation: 'get' };
	const { credentials, queries } = await startHost(named);
	const locator = createLocator('take 217', 'name');
	const { json } = await studio.run({ ...parameters, recordingId: locator }, { credentials });
	expect(json).toEqual([{ id: '217' }]);
	expect(queries).toHaveLength(4);
});

test('The picker reads no more pages than it shows, and all that it searches', async () => {
	const { credentials, queries } = await startHost(named);
	const { results, paginationToken } = await searchList('searchRecordings', credentials);
	expect(results).toHaveLength(50);
	expect(paginationToken).toBe('50');
	expect(queries).toHaveLength(1);
	const found = await searchList('searchRecordings', credentials, { text: '217' });
	expect(found.results).toEqual([{ name: 'Take 217', value: '217' }]);
});

describe('The trigger', () => {
	let stored = build(0, 250);
	let status: number | undefined;
	beforeEach(() => {
		stored = build(0, 250);
		status = undefined;
	});
	const activate = async () => {
		const host = await startHost(({ cursor, size }) => {
			const end = Number(cursor) + size;
			if (status !== undefined && cursor === '200') return status;
			const nextCursor = end < stored.length ? end : null;
			return { recordings: stored.slice(Number(cursor), end), nextCursor };
		});
		const workflow = new TriggerWorkflow({ event: 'recordingAdded' }, host.credentials);
		expect(await workflow.activate()).toEqual([]);
		return { workflow, queries: host.queries };
	};

	it.each([
		['in front', 0],
		['in the middle', 150],
		['at the end', 250],
	])('emits a recording that is added %s, once', async (_where, index) => {
		const { workflow } = await activate();
		expect(await workflow.poll()).toEqual([]);
		stored.splice(index, 0, { id: 'new' });
		expect(getItemIds(await workflow.poll())).toEqual(['new']);
		expect(await workflow.poll()).toEqual([]);
		expect(await workflow.restart()).toEqual([]);
		stored.splice(100, 1);
		expect(await workflow.poll()).toEqual([]);
	});

	it('reads the whole list in each poll', async () => {
		const { workflow, queries } = await activate();
		expect(queries).toHaveLength(3);
		await workflow.poll();
		await workflow.poll();
		expect(queries).toHaveLength(9);
	});

	it('loses nothing and repeats nothing after a poll whose cursor was rejected', async () => {
		const { workflow } = await activate();
		stored.push({ id: 'new' });
		status = 410;
		expect((await getError(workflow.poll())).message).toContain('Words about 410');
		status = undefined;
		expect(getItemIds(await workflow.poll())).toEqual(['new']);
	});

	it('fetches a test event with the first page', async () => {
		const { workflow, queries } = await activate();
		queries.length = 0;
		expect(getItemIds(await workflow.fetchTestEvent())).toEqual(['0']);
		expect(queries).toHaveLength(1);
	});
});
