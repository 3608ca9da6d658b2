import type { Voice } from '../../service/service';
import { loadOptions, searchList } from '../support/engine/engine';
import { useStudio } from '../support/studio';

const studio = useStudio();

const searchVoices = async (text?: string) =>
	(await searchList('searchVoices', studio.credentials, { text })).results;
const ANY = { name: 'Any', value: '' };

test('The list shows every voice, by language and then by name', async () => {
	const results = await searchVoices();
	expect(results).toHaveLength(studio.service.voices.length);
	expect(results).toContainEqual({
		name: 'Ryan · English (United Kingdom) · male · neural',
		value: 'au-en-GB-ryan',
	});
	const names = results.map(({ name }) => name.replace(/^(.+?) · (.+?)(?= ·|$)/, '$2 · $1'));
	expect(names).toStrictEqual([...names].sort((one, other) => one.localeCompare(other)));
	expect(studio.service.requests.map(({ url }) => url)).toStrictEqual(['/v1/voices']);
});

test.each<[string, (voice: Voice) => boolean]>([
	['  kingdom male   ryan united neural', ({ name }) => name === 'ryan'],
	['aurora rya en-gb', ({ name }) => name === 'ryan'],
	['au-en-GB-ryan', ({ name }) => name === 'ryan'],
	// The service finds parts of words, the node only the start of words.
	['yan', ({ name }) => name === 'ryan'],
	['male german', (voice) => voice.language.startsWith('German') && voice.gender === 'male'],
	['🇩🇪', () => false],
])('I find by "%s" all voices that match, and no others', async (text, passes) => {
	const found = (await searchVoices(text)).map(({ value }) => value);
	const matching = studio.service.voices.filter(passes).map(({ voiceId }) => voiceId);
	expect(found.sort()).toStrictEqual(matching.sort());
});

describe('Of voices as strange as these', () => {
	const EVIL = '={{ $json }}';
	const url = 'https://example.com/ann.mp3';
	const voices = [
		{ voiceId: 'one' },
		{ voiceId: 'two', name: 'élise', language: '', languageCode: 'cy-GB', gender: null },
		{ voiceId: 'three', name: 'ann', audioSampleUrl: url, provider: EVIL, languageCode: EVIL },
		{ voiceId: 'four', name: 'ben\nhur', audioSampleUrl: `${url}?signature=a`, language: 'Welsh' },
		{ voiceId: 'five', name: EVIL, audioSampleUrl: 'javascript:alert(1)' },
		{ voiceId: EVIL, name: 'nobody' },
		{ voiceId: 'a\u0000b', name: 'nobody' },
		{ name: 'nobody' },
		'text',
	];
	beforeEach(() => studio.service.injectFault({ body: { voices } }));

	it('none is offered that n8n would evaluate, and no sample with a signed link', async () => {
		expect(await searchVoices()).toStrictEqual([
			{ name: '{{ $json }}', value: 'five', url: undefined },
			{ name: `Ann · ${EVIL}`, value: 'three', url },
			{ name: 'Élise · cy-GB', value: 'two', url: undefined },
			{ name: 'one', value: 'one', url: undefined },
			{ name: 'Ben hur · Welsh', value: 'four', url: undefined },
		]);
	});

	it('languages and providers are listed by what there is', async () => {
		expect(await loadOptions('getVoiceLanguages', studio.credentials)).toStrictEqual([
			ANY,
			{ name: 'cy-GB', value: 'cy-GB' },
			{ name: 'Welsh (cy)', value: 'cy' },
			{ name: 'Welsh (Welsh)', value: 'Welsh' },
		]);
		expect(await loadOptions('getVoiceProviders', studio.credentials)).toStrictEqual([ANY]);
	});
});

test('Languages are listed by name, each once, in alphabetical order', async () => {
	const [any, ...languages] = await loadOptions('getVoiceLanguages', studio.credentials);
	expect(any).toStrictEqual(ANY);
	expect(languages).toHaveLength(46);
	expect(languages).toContainEqual({ name: 'English (United Kingdom)', value: 'en-GB' });
	expect(languages).toContainEqual({ name: 'English', value: 'en' });
	const names = languages.map(({ name }) => name);
	expect(names).toStrictEqual([...names].sort((one, other) => one.localeCompare(other)));
});

test('Providers are listed, each once', async () => {
	const providers = ['Aurora', 'Cadence', 'Meridian'].map((name) => ({ name, value: name }));
	expect(await loadOptions('getVoiceProviders', studio.credentials)).toEqual([ANY, ...providers]);
});
