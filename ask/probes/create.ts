import { type Answer, type AskClient } from '../client';
import { NotObserved, type Observation, type Probe, type Reason } from '../observation';
import { describeAnswer, describeBody, maskFieldName } from '../shape';

import { openLink } from './assets';
import { listVoices } from './voices';

const SCRIPT = 'Hello.';
/** A state is a word; anything else is not shown. */
const WORD = /^[a-z][a-z _-]{0,19}$/i;

/** One speech and one draft video, which may cost credits. */
export const create: Probe = {
	title: 'a speech and a draft video',
	mode: 'create',
	points: ['creations', 'linkField', 'videoStates'],
	run: async ({ client, avatarId, signal }) => {
		const [voice] = await listVoices(client);
		if (typeof voice?.voiceId !== 'string') throw new NotObserved('the service lists no voices');
		const { voiceId } = voice;
		const answers: [name: string, answer: Answer][] = [];
		const speech = { voiceId, script: SCRIPT };
		const contentType = 'application/*+json';
		answers.push([
			'Speech',
			await client.send('POST', '/v1/speech', { body: speech, contentType }),
		]);
		// The speech may have cost credits, so it is reported whatever happens to the video.
		const speechResult = describeCreation(...answers[0]!).slice(0, -1);
		if (signal.aborted) throw new NotObserved(`interrupted; ${speechResult}`);
		const video = { ...speech, videoTitle: 'n8n-nodes-avatar-studio ask', draft: true };
		const body = avatarId === undefined ? video : { ...video, avatarId };
		try {
			answers.push(['Video', await client.send('POST', '/v1/talkingphotos', { body })]);
		} catch (error) {
			throw new NotObserved(`${(error as NotObserved).message}; ${speechResult}`);
		}

		const withoutAvatar =
			avatarId === undefined
				? ['The video was requested without an avatar, because --avatar-id is not set']
				: [];
		return {
			creations: {
				observed: answers.map(([name, answer]) => describeCreation(name, answer)).join(' '),
				evidence: [...answers.map(([, answer]) => describeAnswer(answer)), ...withoutAvatar],
			},
			linkField: await observeLinks(client, answers),
			videoStates: observeState(answers[1]![1]),
		};
	},
};

function describeCreation(name: string, answer: Answer): string {
	if (answer.status >= 300) return `${name}: refused with ${answer.status}.`;
	const type = answer.mediaType === '' ? '' : `${answer.mediaType} `;
	return `${name}: ${answer.status} \`${type}${describeBody(answer)}\`.`;
}

async function observeLinks(
	client: AskClient,
	answers: [name: string, answer: Answer][],
): Promise<Observation | Reason> {
	const accepted = answers.filter(([, { status }]) => status < 300);
	if (accepted.length === 0) return { notObserved: 'the service refused both creations' };
	const observed: string[] = [];
	const evidence: string[] = [];
	let differs = false;
	for (const [name, answer] of accepted) {
		const records = [answer.json ?? answer.body.toString('utf8')].flat();
		const links = records.flatMap((record) => findLinks(record));
		const fields = [...new Set(links.map(([field]) => field || 'the whole body'))];
		observed.push(`${name}: ${fields.join(', ') || 'no link'}.`);
		differs ||= records.some((record) => findLinks(record).length > 1);
		for (const [, href] of links) evidence.push(`${name}: ${await tryLink(client, href)}`);
	}
	return { observed: observed.join(' '), evidence, differs };
}

/** A file may not be ready yet, which must not hide the other observations. */
async function tryLink(client: AskClient, href: string): Promise<string> {
	try {
		return (await openLink(client, href)).evidence;
	} catch (error) {
		return (error as NotObserved).message;
	}
}

/** @returns the links in a value with the path of their field, such as `files.0.url` */
function findLinks(value: unknown, path: string[] = []): [field: string, href: string][] {
	if (typeof value === 'string') {
		const href = value.trim();
		return /^https?:\/\/\S+$/.test(href) ? [[path.join('.'), href]] : [];
	}
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) =>
		findLinks(inner, [...path, Array.isArray(value) ? key : maskFieldName(key)]),
	);
}

function observeState({ json }: Answer) {
	const { status } = (json ?? {}) as { status?: unknown };
	if (typeof status !== 'string' || !WORD.test(status)) {
		return { notObserved: 'the response to a new video contains no status' };
	}
	return {
		observed: `A new draft has the status "${status}".`,
		evidence: ['The field status in the response of POST /v1/talkingphotos'],
	};
}
