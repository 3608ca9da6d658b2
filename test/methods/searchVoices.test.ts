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

test('A voice is shown by name, language, gender and whether it is neural', async () => {
	expect(await searchVoices()).toEqual(
		expect.arrayContaining([
			{ name: 'Ryan · English (United Kingdom) · male · neural', value: 'au-en-GB-ryan' },
			{ name: 'George · English (United Kingdom) · male', value: 'ca-en-GB-george' },
			{ name: 'Emel · Turkish (Türkiye) · female · neural', value: 'au-tr-TR-emel' },
		]),
	);
});

test.each<[string, Parameters<typeof voiceIds>[0]]>([
	['  kingdom male   ryan united neural', ({ name }) => name === 'ryan'],
	['au-en-GB-ryan', ({ name }) => name === 'ryan'],
	['rya engl', ({ name }) => name === 'ryan'],
	['aurora ryan en-gb', ({ name }) => name === 'ryan'],
	['male german', (voice) => voice.language.startsWith('German') && voice.gender === 'male'],
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

test('A voice is shown by the fields it has, with its sample if the link is not signed', async () => {
	const voices = [
		{ voiceId: 'one' },
		{ voiceId: 'two', name: 'élise', language: '', languageCode: 'fr-FR', gender: null },
		{ voiceId: 'three', name: 'ann', audioSampleUrl: 'https://example.com/ann.mp3' },
		{ voiceId: 'four', name: 'dan', audioSampleUrl: 'https://example.com/dan.mp3?signature=a' },
		{ voiceId: 'five', name: 'Ann' },
	];
	studio.service.injectFault({ body: { voices } });
	expect(await searchVoices()).toStrictEqual([
		{ name: 'Ann (three)', value: 'three', url: 'https://example.com/ann.mp3' },
		{ name: 'Ann (five)', value: 'five', url: undefined },
		{ name: 'Dan', value: 'four', url: undefined },
		{ name: 'Élise · fr-FR', value: 'two', url: undefined },
		{ name: 'one', value: 'one', url: undefined },
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

test('A language without its name or its code is listed by what there is', async () => {
	studio.service.injectFault({
		body: { voices: [{ languageCode: 'cy-GB' }, { language: 'Welsh' }] },
	});
	expect(await loadOptions('getVoiceLanguages', studio.credentials)).toStrictEqual([
		{ name: 'Any', value: '' },
		{ name: 'cy-GB', value: 'cy-GB' },
		{ name: 'Welsh (cy)', value: 'cy' },
		{ name: 'Welsh (Welsh)', value: 'Welsh' },
	]);
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
