import { loadOptions, searchList } from '../support/engine/engine';
import { useStudio } from '../support/studio';

const studio = useStudio();

const searchVoices = async (text?: string) =>
	(await searchList('searchVoices', studio.credentials, text)).results;
const values = (results: { value: unknown }[]) => results.map(({ value }) => value).sort();
const voiceIds = (passes: (voice: (typeof studio.service.voices)[number]) => boolean) =>
	studio.service.voices
		.filter(passes)
		.map(({ voiceId }) => voiceId)
		.sort();

test('The list shows every voice, by language and then by name', async () => {
	const results = await searchVoices();
	expect(values(results)).toStrictEqual(voiceIds(() => true));
	const names = results.map(({ name }) => name.replace(/^(.+?) · (.+?)(?= ·|$)/, '$2 · $1'));
	expect(names).toStrictEqual([...names].sort((one, other) => one.localeCompare(other)));
	expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
	expect(studio.service.requests[0]!.url).toBe('/v1/voices');
});

test.each([
	['au-en-GB-ryan', 'Ryan · English (United Kingdom) · male · neural'],
	['ca-en-GB-george', 'George · English (United Kingdom) · male'],
	['me-fr-FR-celeste', 'Celeste · French (France) · female · neural'],
	['au-tr-TR-emel', 'Emel · Turkish (Türkiye) · female · neural'],
])('The voice %s is shown as "%s"', async (value, name) => {
	expect(await searchVoices()).toContainEqual({ name, value });
});

test.each<[string, Parameters<typeof voiceIds>[0]]>([
	['RYAN', ({ name }) => name === 'ryan'],
	['english ryan', ({ name }) => name === 'ryan'],
	['  kingdom male   ryan united neural', ({ name }) => name === 'ryan'],
	['au-en-GB-ryan', ({ name }) => name === 'ryan'],
	['rya engl', ({ name }) => name === 'ryan'],
	['aurora ryan en-gb', ({ name }) => name === 'ryan'],
	['male', ({ gender }) => gender === 'male'],
	['male german', (voice) => voice.language.startsWith('German') && voice.gender === 'male'],
	['neural spanish', (voice) => voice.language.startsWith('Spanish') && voice.isNeural],
	['zebra', () => false],
	['🇩🇪', () => false],
])('I find by "%s" all voices that match, and no others', async (text, passes) => {
	expect(values(await searchVoices(text))).toStrictEqual(voiceIds(passes));
});

test('What the service finds by its own search is listed as well', async () => {
	// The stand-in matches parts of words, the node only the start of words.
	expect(values(await searchVoices('yan'))).toStrictEqual(['au-en-GB-ryan']);
	expect(studio.service.requests.map(({ url }) => url).sort()).toStrictEqual([
		'/v1/voices',
		'/v1/voices?query=yan',
	]);
});

test('A voice with missing fields is shown by the fields it has', async () => {
	const voices = [
		{ voiceId: 'one' },
		{ voiceId: 'two', name: 'élise', language: '', languageCode: 'fr-FR', gender: null },
	];
	studio.service.injectFault({ body: { voices } });
	expect(await searchVoices()).toEqual([
		{ name: 'Élise · fr-FR', value: 'two' },
		{ name: 'one', value: 'one' },
	]);
});

test('A voice with an audio sample links to it, if the link is public and not signed', async () => {
	const voices = [
		{ voiceId: 'one', name: 'ann', audioSampleUrl: 'https://example.com/ann.mp3' },
		{ voiceId: 'two', name: 'ben', audioSampleUrl: null },
		{ voiceId: 'three', name: 'cid', audioSampleUrl: 'http://169.254.169.254/latest' },
		{ voiceId: 'four', name: 'dan', audioSampleUrl: 'https://example.com/dan.mp3?signature=a' },
	];
	studio.service.injectFault({ body: { voices } });
	expect(await searchVoices()).toStrictEqual([
		{ name: 'Ann', value: 'one', url: 'https://example.com/ann.mp3' },
		{ name: 'Ben', value: 'two', url: undefined },
		{ name: 'Cid', value: 'three', url: undefined },
		{ name: 'Dan', value: 'four', url: undefined },
	]);
});

test('A list offers nothing that n8n would evaluate, and cleans its labels', async () => {
	const [stock] = studio.service.voices;
	const evil = '={{ $json }}';
	studio.service.injectFault({
		body: {
			voices: [
				{ ...stock, voiceId: evil },
				{ name: 'nobody' },
				'text',
				{ ...stock, voiceId: 'a\u0000b' },
				{ voiceId: 'named', name: evil },
				{ ...stock, voiceId: 'line', name: 'a\nb' },
				{ voiceId: 'good', name: 'ann', provider: evil, languageCode: evil, language: 'Odd' },
				{ voiceId: 'sample', name: 'ben', audioSampleUrl: 'javascript:alert(1)' },
			],
		},
	});
	expect(await searchVoices()).toStrictEqual([
		{ name: '{{ $json }}', value: 'named', url: undefined },
		{ name: 'A b · Arabic (Egypt) · female · neural', value: 'line', url: undefined },
		{ name: 'Ben', value: 'sample', url: undefined },
		{ name: 'Ann · Odd', value: 'good', url: undefined },
	]);
	const languages = await loadOptions('getVoiceLanguages', studio.credentials);
	const providers = await loadOptions('getVoiceProviders', studio.credentials);
	expect(JSON.stringify([languages, providers])).not.toContain(evil);
});

test('Voices with the same label show their provider, or their ID if that is the same', async () => {
	const voices = [
		{ voiceId: 'one', name: 'ann', provider: 'Aurora' },
		{ voiceId: 'two', name: 'Ann', provider: 'Cadence' },
		{ voiceId: 'three', name: 'ann', provider: 'Cadence' },
	];
	studio.service.injectFault({ body: { voices } });
	expect((await searchVoices()).map(({ name }) => name)).toStrictEqual([
		'Ann · Aurora',
		'Ann · Cadence (two)',
		'Ann · Cadence (three)',
	]);
});

test('Diacritics do not matter in a search', async () => {
	const voices = ['elodie', 'Élo', 'éloïse', 'zoe elo'].map((name) => ({ voiceId: name, name }));
	studio.service.injectFault({ body: { voices } });
	expect(await searchVoices('elo')).toHaveLength(4);
	expect((await searchVoices('Eloise')).map(({ name }) => name)).toStrictEqual(['Éloïse']);
});

test.each(['de-DE', 'DE_de', 'Deutsch katja', 'german de-DE'])(
	'I find German voices by %j, and no Danish ones',
	async (text) => {
		const found = values(await searchVoices(text));
		expect(found).toContain('au-de-DE-katja');
		expect(found.filter((id) => !String(id).includes('de-DE'))).toStrictEqual([]);
	},
);

const [AMERICAN, FRENCH] = ['English (United States)', 'French (France)'];

test.each([
	[
		'beside their main one',
		[{ languageCode: 'en-US', language: AMERICAN, languageCodes: [AMERICAN, FRENCH] }],
		[
			{ name: 'English', value: 'en' },
			{ name: AMERICAN, value: 'en-US' },
			{ name: FRENCH, value: FRENCH },
		],
	],
	[
		'without its name or its code',
		[{ languageCode: 'cy-GB' }, { language: 'Welsh' }],
		[
			{ name: 'cy-GB', value: 'cy-GB' },
			{ name: 'Welsh (cy)', value: 'cy' },
			{ name: 'Welsh (Welsh)', value: 'Welsh' },
		],
	],
])('A language that voices state %s is listed as well', async (_how, voices, listed) => {
	studio.service.injectFault({ body: { voices } });
	const languages = await loadOptions('getVoiceLanguages', studio.credentials);
	expect(languages).toStrictEqual([{ name: 'Any', value: '' }, ...listed]);
});

test('Languages are listed by name, each once, in alphabetical order', async () => {
	const languages = await loadOptions('getVoiceLanguages', studio.credentials);
	expect(languages).toHaveLength(47);
	expect(languages.shift()).toStrictEqual({ name: 'Any', value: '' });
	expect(languages[1]).toStrictEqual({ name: 'Arabic (Egypt)', value: 'ar-EG' });
	expect(languages).toContainEqual({ name: 'English (United Kingdom)', value: 'en-GB' });
	expect(languages).toContainEqual({ name: 'English', value: 'en' });
	const names = languages.map(({ name }) => name);
	expect(names).toStrictEqual([...names].sort((one, other) => one.localeCompare(other)));
	expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
});

test('Providers are listed, each once', async () => {
	expect(await loadOptions('getVoiceProviders', studio.credentials)).toStrictEqual([
		{ name: 'Any', value: '' },
		{ name: 'Aurora', value: 'Aurora' },
		{ name: 'Cadence', value: 'Cadence' },
		{ name: 'Meridian', value: 'Meridian' },
	]);
});
