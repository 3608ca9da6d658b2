import { type AskClient, requireSuccess } from '../client';
import { NotObserved, type Observation, type Probe } from '../observation';
import { describeShape, maskFieldName } from '../shape';

import { compareFields, readRecords } from './assets';

type Voice = Record<string, unknown>;

/** No voice contains it. */
const NONSENSE = 'zqxjkvzqxj';

/** The list of voices, and what `query` does to it. */
export const voices: Probe = {
	title: 'voices',
	mode: 'read',
	points: ['voiceFields', 'voiceSearch'],
	run: async ({ client }) => {
		const all = await listVoices(client);
		if (all.length === 0) throw new NotObserved('the service lists no voices');
		return {
			voiceFields: observeFields(all, await listVoices(client)),
			voiceSearch: await observeSearch(client, all),
		};
	},
};

/** Lists voices. @throws NotObserved if the response is no list of voices */
export async function listVoices(client: AskClient, query = ''): Promise<Voice[]> {
	const answer = await client.send('GET', '/v1/voices', { query: { query } });
	return readRecords(requireSuccess(answer), 'voices');
}

function observeFields(first: Voice[], second: Voice[]): Observation {
	const order = (list: Voice[]) =>
		list.map(({ id, voiceId }) => `${String(id)} ${String(voiceId)}`);
	const isStable = order(first).join() === order(second).join();
	const neverSet = Object.keys(first[0]!).filter((name) =>
		first.every((voice) => voice[name] === null),
	);
	return {
		observed: [
			compareFields(first, 'Voice'),
			neverSet.length > 0 ? `Always null: ${neverSet.map(maskFieldName).join(', ')}.` : [],
			isStable ? 'The order is the same in two requests.' : 'The order changes.',
		]
			.flat()
			.join(' '),
		evidence: [`GET /v1/voices → ${first.length} voices: ${describeShape(first)}`],
		differs: first.some(({ voiceId }) => typeof voiceId !== 'string'),
	};
}

async function observeSearch(client: AskClient, all: Voice[]): Promise<Observation> {
	const evidence: string[] = [];
	const search = async (label: string, query: string): Promise<Voice[]> => {
		const found = await listVoices(client, query);
		evidence.push(`query = ${label} → ${found.length} of ${all.length} voices`);
		return found;
	};
	if ((await search('letters that no voice contains', NONSENSE)).length === all.length) {
		return { observed: 'The parameter query has no effect.', evidence };
	}
	const voice = all[Math.floor(all.length / 2)]!;
	const finds = async (label: string, query: string) =>
		(await search(label, query)).some(({ voiceId }) => voiceId === voice.voiceId);
	const searched: string[] = [];
	for (const [name, value] of Object.entries(voice)) {
		if (typeof value !== 'string' || value === '') continue;
		if (await finds(`${maskFieldName(name)} of a voice`, value)) searched.push(maskFieldName(name));
	}
	const { name } = voice;
	const hasName = typeof name === 'string' && searched.includes('name');
	const ways = [
		...(hasName && (await finds('end of a name', name.slice(1))) ? ['parts of a word'] : []),
		...(hasName && (await finds('a name in capitals', name.toUpperCase())) ? ['any case'] : []),
	];
	return {
		observed:
			(searched.length === 0
				? 'A search for the values of a voice does not find it.'
				: `A voice is found by ${searched.sort().join(', ')}.`) +
			(ways.length > 0 ? ` The search accepts ${ways.join(' and ')}.` : ''),
		evidence,
	};
}
