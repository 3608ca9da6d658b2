import type { Exchange } from '../client';
import { NotObserved, type Observation, type Probe } from '../observation';

/** Header names of rate limits, with and without the prefix `X-`. */
const RATE_LIMIT = /^(x-)?rate-?limit|^retry-after$|quota/i;
/** Those whose value is a setting of the service, not a count of requests. */
const LIMIT_VALUE = /limit$|policy$/i;
/** A limit, or the quota and the window of a policy; its name may be one of the account. */
const NUMBERS = /^\d+$|\b[qw]=\d+/g;

/** What all the other probes' responses show: it runs last and requests nothing. */
export const connection: Probe = {
	title: 'connections and rate limits',
	mode: 'read',
	points: ['connections', 'rateLimits'],
	run: async ({ client }) => {
		if (client.exchanges.length === 0) throw new NotObserved('the service did not respond');
		return await Promise.resolve({
			connections: observeConnections(client.exchanges),
			rateLimits: observeRateLimits(client.exchanges),
		});
	},
};

function observeConnections(exchanges: Exchange[]): Observation {
	const redirects = exchanges.flatMap(({ redirect }) => redirect ?? []);
	const isClosed = exchanges.every(({ headers }) => headers.get('connection') === 'close');
	const encodings = exchanges.flatMap(({ headers }) => headers.get('content-encoding') ?? []);
	const offsets = exchanges.flatMap(({ clockOffset }) => clockOffset ?? []).sort((a, b) => a - b);
	const median = offsets[Math.floor(offsets.length / 2)];
	const isAhead = median !== undefined && Math.abs(median) > 2;
	return {
		observed: [
			redirects.length === 0
				? 'No redirects.'
				: `Redirects to ${[...new Set(redirects)].join(' and ')}.`,
			isClosed ? 'Every connection is closed.' : 'Connections are kept open.',
			encodings.length === 0
				? 'Responses are not compressed.'
				: `Responses are compressed (${[...new Set(encodings)].join(', ')}).`,
		].join(' '),
		evidence: [
			`${exchanges.length} responses, ${redirects.length} redirects, ${encodings.length} compressed`,
			median === undefined
				? 'The responses have no header Date'
				: `The clock of the service differs by ${isAhead ? Math.round(median) : 'less than 2'} seconds from this computer's`,
		],
		differs: redirects.includes('another host'),
	};
}

function observeRateLimits(exchanges: Exchange[]): Observation {
	const values = new Map(
		exchanges.flatMap((exchange) =>
			[...exchange.headers].filter(([name]) => RATE_LIMIT.test(name)),
		),
	);
	const refused = exchanges.filter(
		({ status, headers }) => status === 429 || (status === 503 && headers.has('retry-after')),
	);
	const statuses = [...new Set(refused.map(({ status }) => status))].join(' and ');
	const names = [...values.keys()].sort();
	return {
		observed: [
			names.length === 0 ? 'No headers.' : `Headers: ${names.join(', ')}.`,
			refused.length === 0
				? 'Requests one after the other are not refused.'
				: `Requests are refused with ${statuses}.`,
		].join(' '),
		evidence: [
			`${refused.length} of ${exchanges.length} requests, sent one after the other, were refused`,
			...names
				.filter((name) => LIMIT_VALUE.test(name))
				.map((name) => `${name}: ${values.get(name)!.match(NUMBERS)?.join(' ') ?? 'text'}`),
		],
	};
}
