import { randomUUID } from 'node:crypto';

import { extractErrorMessage } from '../../nodes/AvatarStudio/client/response/serviceMessage';
import { type Answer, type RequestOptions, requireSuccess } from '../client';
import type { Probe } from '../observation';
import { describeAnswer, describeBody } from '../shape';

const NO_KEY = 'No API key';
const WRONG_KEY = 'Wrong API key';
const UNKNOWN_ID = 'Unknown ID';

/** Requests that should fail, none of which changes anything; only the first two lack the key. */
const REQUESTS: [label: string, path: string, options?: RequestOptions][] = [
	[NO_KEY, '/v1/assets', { apiKey: null }],
	[WRONG_KEY, '/v1/assets', { apiKey: 'not-an-api-key' }],
	[UNKNOWN_ID, '/v1/assets/{id}', { id: randomUUID() }],
	['Malformed ID', '/v1/assets/{id}', { id: 'not-an-id' }],
	['PageSize -1', '/v1/assets', { query: { Page: 1, PageSize: -1 } }],
	['Unknown path', '/v1/no-such-path'],
];

/** Status and body of the service's errors. */
export const errors: Probe = {
	title: 'errors',
	mode: 'read',
	points: ['errors'],
	run: async ({ client }) => {
		const answers: [label: string, answer: Answer][] = [];
		for (const [label, path, options] of REQUESTS) {
			answers.push([label, await client.send('GET', path, options)]);
		}
		// A rejected key hides all other errors.
		const withKey = answers.splice(2);
		if (!withKey.every(([, { status }]) => [401, 403].includes(status))) answers.push(...withKey);
		const statuses = answers.map(([label, { status }]) => `${label}: ${status}.`);
		const failures = answers.map(([, answer]) => answer).filter(({ status }) => status >= 400);
		if (failures.length === 0) requireSuccess(answers[0]![1]);
		const bodies = new Set(failures.map((answer) => `${answer.mediaType} ${describeBody(answer)}`));
		const unexplained = failures.filter(
			({ body }) => body.length > 0 && extractErrorMessage(body.toString('utf8')) === undefined,
		);
		const isRefused = (wanted: string) =>
			answers.every(([label, { status }]) => label !== wanted || status >= 400);
		return {
			errors: {
				observed: [
					...statuses,
					`Body: ${[...bodies].map((body) => `\`${body.trim()}\``).join(' or ')}.`,
					unexplained.length > 0 ? 'The node finds no message in some of them.' : [],
				]
					.flat()
					.join(' '),
				evidence: answers.map(([label, answer]) =>
					describeAnswer(answer, `${label}: ${answer.label}`),
				),
				differs: ![NO_KEY, WRONG_KEY, UNKNOWN_ID].every(isRefused),
			},
		};
	},
};
