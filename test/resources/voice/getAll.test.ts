import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { VOICE_FILTERS } from '../../../nodes/AvatarStudio/resources/voice/voiceFilters';
import type { Voice } from '../../../service/service';
import { getVoices, VOICE } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

const ids = (voices: (IDataObject | Voice)[]) => voices.map(({ voiceId }) => voiceId);
const filterIds = (test: (voice: Voice) => boolean) => ids(studio.service.voices.filter(test));
const isOf = (language: string) => (voice: Voice) => voice.languageCode.startsWith(language);
const getUrls = () => studio.apiRequests.map(({ url }) => url).sort();

test('I get 50 voices by default, and all if I want', async () => {
	const { json } = await studio.run(getVoices());
	expect(ids(json)).toStrictEqual(ids(studio.service.voices.slice(0, 50)));
	const all = await studio.run(getVoices({ returnAll: true }));
	expect(ids(all.json)).toStrictEqual(ids(studio.service.voices));
	expect(getUrls()).toStrictEqual(['/v1/voices', '/v1/voices']);
});

test.each<[string, (voice: Voice) => boolean]>([
	['english', ({ language }) => language.startsWith('English')],
	// Only this node matches by the language's own name, and only the stand-in parts of words.
	['male Deutsch', ({ language, gender }) => language.startsWith('German') && gender === 'male'],
	['yan', ({ voiceId }) => voiceId === VOICE],
	['a b&c=d?e#f+g%20/日本 ü"\'', () => false],
])('My search "%s" finds what the service or this node matches', async (query, passes) => {
	const { json } = await studio.run(getVoices({ query }));
	expect(ids(json)).toStrictEqual(filterIds(passes));
	const sent = studio.apiRequests.map((request) => request.query);
	expect(sent).toHaveLength(2);
	expect(sent).toContainEqual({ query });
});

test('If the service ignores my search, I still get only the voices that match', async () => {
	studio.service.injectFault({ body: { voices: studio.service.voices } });
	const { json } = await studio.run(getVoices({ query: 'ryan' }));
	expect(ids(json)).toStrictEqual([VOICE]);
});

test.each<[string, INodeParameters, (voice: Voice) => boolean]>([
	['female voices', { gender: 'female' }, ({ gender }) => gender === 'female'],
	['voices of a language, whatever its region', { languageCode: 'en' }, isOf('en-')],
	['voices of a language in any spelling', { languageCode: 'DE_de ' }, isOf('de-DE')],
	['voices of a provider', { provider: 'Cadence' }, ({ provider }) => provider === 'Cadence'],
	['neural voices', { neural: true }, ({ isNeural }) => isNeural],
	[
		'voices by values from expressions',
		{ gender: '={{ "male" }}', neural: '={{ "false" }}' },
		({ gender, isNeural }) => gender === 'male' && !isNeural,
	],
	['no voice if none matches both', { provider: 'Cadence', languageCode: 'fi-FI' }, () => false],
	['all voices if a filter is empty', { languageCode: '', provider: '' }, () => true],
])('I get %s, and no more than my limit', async (_which, filters, passes) => {
	const all = await studio.run(getVoices({ returnAll: true, filters }));
	expect(ids(all.json)).toStrictEqual(filterIds(passes));
	const { json } = await studio.run(getVoices({ limit: 2, filters }));
	expect(ids(json)).toStrictEqual(filterIds(passes).slice(0, 2));
	expect(getUrls()).toStrictEqual(['/v1/voices', '/v1/voices']);
});

test.each([
	[{ gender: 'Weiblich' }, 'Gender must be one of female, male. Select it from the list.'],
	[{ languageCode: 'de-CH' }, 'No voice speaks the language "de-CH". There is de-AT; de-DE.'],
	[{ provider: 'Nobody' }, 'No voice has the provider "Nobody". There is Aurora; Cadence; '],
])('The filter %j that no voice can match is an error that lists what there is', async (...row) => {
	const [filters, words] = row;
	expect(await studio.getFailure(getVoices({ filters }))).toContain(words);
});

test('A simplified voice has the fields that matter for choosing one', async () => {
	const { json } = await studio.run(getVoices({ query: 'ryan' }));
	expect(json).toStrictEqual([
		{
			voiceId: VOICE,
			name: 'Ryan',
			gender: 'male',
			language: 'English (United Kingdom)',
			languageCode: 'en-GB',
			languageCodes: ['English (United Kingdom)'],
			provider: 'Aurora',
			isNeural: true,
			audioSampleUrl: null,
		},
	]);
});

test('A simplified voice shows what voices can be filtered by', async () => {
	const { json } = await studio.run(getVoices({ query: 'ryan' }));
	const shown = Object.keys(json[0]!).map((key) => key.replace(/^is/, '').toLowerCase());
	const filters = VOICE_FILTERS.map(({ field }) => field.name.toLowerCase());
	const hidden = filters.filter((name) => name !== 'namecontains' && !shown.includes(name));
	expect(hidden).toEqual([]);
});

test('A voice is passed on unchanged if I turn off Simplify', async () => {
	const { json } = await studio.run(getVoices({ query: 'ryan', simplify: false }));
	expect(json).toStrictEqual(studio.service.voices.filter(({ voiceId }) => voiceId === VOICE));
});

test.each([
	['pt-PT', []],
	['es-ES', ['es-ES']],
])('The search %s finds voices of that region only: %j', async (query, codes) => {
	const { json } = await studio.run(getVoices({ query, returnAll: true }));
	expect([...new Set(json.map(({ languageCode }) => languageCode))]).toStrictEqual(codes);
});

test('A voice that only the search of the service finds is one of the voices', async () => {
	const hidden = { ...studio.service.voices[0]!, voiceId: 'hidden', name: 'Hidden' };
	const when = ({ query }: { query: Record<string, string> }) => query.query === 'zulu';
	studio.service.injectFault({ when, body: { voices: [hidden] } });
	const { json } = await studio.run(getVoices({ query: 'zulu' }));
	expect(ids(json)).toStrictEqual(['hidden']);
});
