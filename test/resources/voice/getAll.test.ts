import type { IDataObject } from 'n8n-workflow';

import type { Voice } from '../../../service/service';
import { getError } from '../../support/engine/engine';
import { getVoices, VOICE } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

const ids = (voices: (IDataObject | Voice)[]) => voices.map(({ voiceId }) => voiceId);
const getUrls = () => studio.apiRequests.map(({ url }) => url).sort();
const filterIds = (test: (voice: Voice) => boolean) => ids(studio.service.voices.filter(test));

test('I get 50 voices by default, and no search is sent', async () => {
	const { json } = await studio.run(getVoices());
	expect(ids(json)).toStrictEqual(ids(studio.service.voices.slice(0, 50)));
	expect(getUrls()).toStrictEqual(['/v1/voices']);
});

test('My search is sent to the service', async () => {
	const { json } = await studio.run(getVoices({ query: 'english' }));
	expect(getUrls()).toStrictEqual(['/v1/voices', '/v1/voices?query=english']);
	expect(ids(json)).toStrictEqual(filterIds(({ language }) => language.startsWith('English')));
});

test('My search also finds what only this node or only the service matches', async () => {
	const { json } = await studio.run(getVoices({ query: 'male Deutsch' }));
	expect(ids(json)).toStrictEqual(
		filterIds(({ language, gender }) => language.startsWith('German') && gender === 'male'),
	);
	// The stand-in matches parts of words.
	expect(ids((await studio.run(getVoices({ query: 'yan' }))).json)).toStrictEqual([VOICE]);
});

test('If the service ignores my search, I still get only the voices that match', async () => {
	studio.service.injectFault({ body: { voices: studio.service.voices } });
	const { json } = await studio.run(getVoices({ query: 'ryan' }));
	expect(ids(json)).toStrictEqual([VOICE]);
});

test('A search with spaces, special and non-ASCII characters is sent unchanged', async () => {
	const query = 'a b&c=d?e#f+g%20/日本 ü"\'';
	await studio.run(getVoices({ query }));
	const search = studio.apiRequests.find(({ query: sent }) => sent.query !== undefined);
	expect(search?.query).toStrictEqual({ query });
	expect(search?.url).toMatch(/^\/v1\/voices\?query=[\w%.+*!'()~-]+$/);
});

test('I get all voices', async () => {
	const { json } = await studio.run(getVoices({ returnAll: true }));
	expect(studio.service.voices.length).toBeGreaterThan(50);
	expect(ids(json)).toStrictEqual(ids(studio.service.voices));
});

test.each<[string, IDataObject, (voice: Voice) => boolean]>([
	['female voices', { gender: 'female' }, ({ gender }) => gender === 'female'],
	[
		'voices of a language, whatever its region',
		{ languageCode: 'en' },
		(voice) => voice.languageCode.startsWith('en-'),
	],
	['voices of a language', { languageCode: 'en-GB' }, (voice) => voice.languageCode === 'en-GB'],
	['voices of a provider', { provider: 'Cadence' }, ({ provider }) => provider === 'Cadence'],
	['neural voices', { neural: true }, ({ isNeural }) => isNeural],
	[
		'voices that match every filter',
		{ gender: 'male', languageCode: 'en-US', provider: 'Meridian', neural: true },
		({ voiceId }) => voiceId === 'me-en-US-davis',
	],
	[
		'voices of a language in any spelling',
		{ languageCode: 'DE_de ' },
		(voice) => voice.languageCode === 'de-DE',
	],
	[
		'voices of a language by its own name',
		{ languageCode: 'Deutsch (Deutschland)' },
		(voice) => voice.languageCode === 'de-DE',
	],
	['all voices if a filter is empty', { languageCode: '', provider: '' }, () => true],
])('I get %s', async (_which, filters, passes) => {
	const { json } = await studio.run(
		getVoices({ returnAll: true, filters: filters as Record<string, string> }),
	);
	expect(json.length).toBeGreaterThan(0);
	expect(ids(json)).toStrictEqual(filterIds(passes));
	expect(getOnlyRequest(studio).url).toBe('/v1/voices');
});

test('The limit counts the voices that match the filters', async () => {
	const { json } = await studio.run(getVoices({ limit: 2, filters: { provider: 'Cadence' } }));
	expect(ids(json)).toStrictEqual(filterIds(({ provider }) => provider === 'Cadence').slice(0, 2));
});

test('Filters may come from expressions, a boolean as text', async () => {
	const { json } = await studio.run(
		getVoices({
			returnAll: true,
			filters: { gender: '={{ $json.gender }}', neural: '={{ $json.neural }}' },
		}),
		{ items: [{ json: { gender: 'male', neural: 'false' } }] },
	);
	expect(ids(json)).toStrictEqual(
		filterIds(({ gender, isNeural }) => gender === 'male' && !isNeural),
	);
});

test('Filters that match no voice return no items and no error', async () => {
	const filters = { provider: 'Cadence', languageCode: 'fi-FI' };
	const { json } = await studio.run(getVoices({ filters }));
	expect(json).toStrictEqual([]);
});

test.each([
	[{ gender: 'Weiblich' }, 'No voice has the gender "Weiblich"', 'There is female; male.'],
	[{ languageCode: 'de-CH' }, 'No voice speaks the language "de-CH"', 'There is de-AT; de-DE.'],
	[{ provider: 'Nobody' }, 'No voice has the provider "Nobody"', 'There is Aurora; Cadence; '],
])(
	'The filter %j that no voice can match is an error that lists what there is',
	async (filters, message, hint) => {
		const error = await getError(studio.run(getVoices({ filters })));
		expect(error.message).toBe(message);
		expect(error.description).toContain(hint);
	},
);

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

test('A voice is passed on unchanged if I turn off Simplify', async () => {
	const { json } = await studio.run(getVoices({ query: 'ryan', simplify: false }));
	expect(json).toStrictEqual(studio.service.voices.filter(({ voiceId }) => voiceId === VOICE));
	expect(json[0]).toHaveProperty('languageCodesJson', '["English (United Kingdom)"]');
});

test('The languages are decoded if they are only sent as JSON in a string', async () => {
	studio.service.injectFault({
		body: {
			voices: [
				{ voiceId: 'one', languageCodesJson: '["English (Ireland)","Irish (Ireland)"]' },
				{ voiceId: 'other', languageCodesJson: 'not JSON' },
				{ voiceId: 'both', languageCodes: ['Welsh (Wales)'], languageCodesJson: '["Else"]' },
			],
		},
	});
	const { json } = await studio.run(getVoices());
	expect(json.map(({ languageCodes }) => languageCodes)).toStrictEqual([
		['English (Ireland)', 'Irish (Ireland)'],
		undefined,
		['Welsh (Wales)'],
	]);
});
