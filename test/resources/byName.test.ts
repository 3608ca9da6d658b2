import { createUuid } from '../../service/uuids';
import {
	createLocator,
	createSpeech,
	createVideo,
	deleteAsset,
	downloadAsset,
	getAsset,
	SOME_ID,
	updateAsset,
	VOICE,
} from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

const X = '={{ $json.x }}';
const byName = (text: string) => createSpeech({ voiceId: createLocator(text, 'name') });
const byId = (text: string) => createSpeech({ voiceId: createLocator(text) });

const getUsedVoices = () => studio.service.speeches.map(({ voiceId }) => voiceId);

/** Makes the service offer voices such as "Anna (de-DE)", with the IDs 0-a, 1-a … */
function useVoices(...voices: string[]): void {
	const [stock] = studio.service.voices;
	studio.service.voices = voices.map((voice, index) => {
		const [, name = '', languageCode = ''] = /^(.+) \((.+)\)$/.exec(voice)!;
		const described = { voiceId: `${index}-a`, name, languageCode, language: '' };
		return { ...stock!, ...described, languageCodes: [] };
	});
}

test.each([
	['its name', 'ryan'],
	['its name in another case, with blanks', ' RYAN '],
	['its name and language code', 'Ryan, en-GB'],
	['its name and language', 'ryan,english (united kingdom)'],
	['its name, gender and provider', 'Ryan, male, neural, Aurora'],
	['its ID', VOICE],
	['its label in the list', 'Ryan · English (United Kingdom) · male · neural'],
	['what an error lists', `Ryan · English (United Kingdom) · male · neural (${VOICE})`],
	['its name and a language in brackets', 'Ryan (en-GB)'],
	['its name and traits in brackets', 'ryan [male, English (United Kingdom)]'],
	['its name and a language after a dash', 'Ryan – English (United Kingdom)'],
	['its name and a language tag', 'Ryan en-GB'],
	['its name and a trait as the last word', 'Ryan male'],
])('I find a voice by %s', async (_what, text) => {
	await studio.run(byName(text));
	expect(getUsedVoices()).toStrictEqual([VOICE]);
});

test.each([
	['zoe', ['Zoë (en-GB)'], ['0-a']],
	['ZOE\u0308', ['Zoë (en-GB)'], ['0-a']],
	['Zoe', ['Zoë (en-GB)', 'Zoe (en-GB)'], ['1-a']],
	['Zoe, Français', ['Zoe (en-GB)', 'Zoë (fr-FR)'], ['1-a']],
	['晓晓', ['晓晓 (zh-CN)', '晓 (zh-CN)'], ['0-a']],
	['МИЛА', ['Мила (ru-RU)'], ['0-a']],
	['мой', ['мои (ru-RU)'], []],
	['زينب', ['زينب (ar-EG)', 'زين (ar-EG)'], ['0-a']],
	['mia 😀', ['Mia 😎 (en-GB)', 'Mia 😀 (en-GB)', 'Mia (en-GB)'], ['1-a']],
	['Bán', ['Bạn (vi-VN)'], []],
	['Ann', ['Anna (en-GB)', 'Jo-Ann (en-GB)'], []],
	["O'Brien, en-GB", ['O’Brien (en-GB)', 'OBrien (en-GB)'], ['0-a']],
	['A - B', ['A (en-GB)', 'A – B (en-GB)'], ['1-a']],
	['A — B (en-GB)', ['A – B (de-DE)', 'A – B (en-GB)'], ['1-a']],
	['Ryan (en-GB)', ['Ryan (en-GB) (de-DE)', 'Ryan (en-GB)'], ['0-a']],
	['Anna Kim', ['Anna (en-GB)', 'Anna Kim (en-GB)'], ['1-a']],
	['Ryan (de-DE)', ['Ryan (en-GB)'], []],
])('The name %j among %j stands for %j', async (text, voices, used) => {
	useVoices(...voices);
	const { error } = await studio.getOutcome(byName(text));
	expect(getUsedVoices()).toStrictEqual(used);
	expect(error?.message.endsWith('matches no voice') ?? false).toBe(used.length === 0);
});

test.each([
	['Ryan', VOICE],
	['Ryan, en-GB', VOICE],
	['en-GB, male', VOICE],
	['tr-TR', 'au-tr-TR-ahmet'],
	['German (Austria)', 'au-de-AT-ingrid'],
])('By ID, %j is taken as in the other modes, as dropping a field needs', async (text, voiceId) => {
	await studio.run(byId(X), { items: [{ json: { x: text } }] });
	expect(getUsedVoices()).toStrictEqual([voiceId]);
});

test.each(['Dan', 'Ben', 'Pol', 'Mar'])(
	'By ID, the name %j is no code of a language',
	async (text) => {
		useVoices('a (da-DK)', 'b (bn-IN)', 'c (pl-PL)', 'd (mr-IN)');
		const failure = await studio.getFailure(byId(text));
		expect(failure).toContain(`Voice "${text}" matches no voice`);
		expect(failure).not.toContain('No voice that speaks');
	},
);

test('"und", the code of no language, is the name of no voice either', async () => {
	expect(await studio.getFailure(byId('und'))).toContain('Voice "und" matches no voice');
});

test.each([
	['dan', 'Danish (da-DK)'],
	['deu', 'German (de-DE)'],
	['POR', 'Brazilian (pt-BR)'],
])('By ID, %j that is not written as a name is a code of a language', async (text, voice) => {
	useVoices('First (fi-FI)', voice);
	await studio.run(byId(text));
	expect(getUsedVoices()).toStrictEqual(['1-a']);
});

test('By ID, what looks like the ID of a provider may be the name of two voices', async () => {
	useVoices('de-DE-Anna (de-DE)', 'de-DE-Anna (de-AT)');
	expect(await studio.getFailure(byId('de-DE-Anna'))).toContain('matches 2 voices');
});

test.each(['Voice4', 'ryan2', 'R2-D2', 'Emma 2', '4'])(
	'By ID, the name %j has a digit',
	async (text) => {
		useVoices('First (fi-FI)', `${text.toLowerCase()} (en-GB)`);
		await studio.run(byId(text));
		expect(getUsedVoices()).toStrictEqual(['1-a']);
	},
);

test.each(['au-en-XX', '21m00Tcm4TlvDq8ikWAM'])(
	'By ID, %j looks like an ID and is sent without asking',
	async (text) => {
		expect(await studio.getFailure(byId(text))).toContain(`There is no voice ${text}`);
		expect(studio.getRoutes()).toStrictEqual(['POST /v1/speech']);
	},
);

test('By ID, a UUID that no listed voice has is sent as it is', async () => {
	expect(await studio.getFailure(byId(SOME_ID))).toContain(`There is no voice ${SOME_ID}`);
	expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices', 'POST /v1/speech']);
});

describe('G7: Nothing is created, and I read why,', () => {
	const SIMILAR = 'Similar: Ryan · English (United Kingdom) · male';
	const IS_LANGUAGE = 'is a language. To use its first voice, set Voice to the mode Language.';
	const getFailure = async (text: string, mode: Parameters<typeof createLocator>[1]) => {
		const failure = await studio.getFailure(createVideo({ voiceId: createLocator(text, mode) }));
		expect(studio.service.videos).toStrictEqual([]);
		return failure;
	};

	it.each([
		['a name of several voices', 'name', 'Anna', /^Voice "Anna" matches 6 voices/],
		['a name of several voices', 'id', 'Anna', /^Voice "Anna" matches 6 voices/],
		['a name and a language', 'id', 'German', /^Voice "German" matches 7 voices/],
	] as const)('if a text is %s (by %s)', async (_what, mode, text, words) => {
		useVoices('Germán (es-MX)', ...Array<string>(6).fill('Anna (de-DE)'));
		const failure = await getFailure(text, mode);
		expect(failure).toMatch(words);
		expect(failure).toContain('Enter the ID of one. Matches: ');
		expect(failure.match(/\d-a\)/g)).toHaveLength(5);
		expect(failure).toMatch(/; and \d more\.$/);
	});

	it.each([
		['name', 'Ryan, de-DE', SIMILAR],
		['name', 'rya', SIMILAR],
		['name', 'nobody', 'Voice: Get Many lists the voices.'],
		['name', 'Ryan the narrator', SIMILAR],
		['name', 'Dr. Ryan-Smith', SIMILAR],
		['name', 'Bryant', 'Similar: none.'],
		['name', 'en-GB', `"en-GB" ${IS_LANGUAGE}`],
		['name', 'German, male', '"German, male" is a language.'],
		['id', 'Ryan, female', SIMILAR],
	] as const)('if no voice is found by %s: %j', async (mode, text, words) => {
		const failure = await getFailure(text, mode);
		expect(failure).toContain(`Voice "${text}" matches no voice.`);
		expect(failure).toContain(words);
		expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
	});

	it.each(['name', 'id', 'language'] as const)('if a text by %s is too long', async (mode) => {
		const failure = await getFailure('ryan '.repeat(20_000), mode);
		expect(failure).toMatch(/^"ryan.{1,200}…" is too long to search for/);
		expect(studio.getRoutes()).toStrictEqual([]);
	});

	it.each([
		[403, 'Ryan, en-GB'],
		[500, 'Ryan'],
	])('if the voices cannot be read (%i), and not that a video may exist', async (status, text) => {
		studio.service.injectFault({ status, when: { path: '/v1/voices' } });
		const failure = await getFailure(text, 'id');
		expect(failure).toContain(`(${status})`);
		expect(failure).not.toContain('may exist');
		expect(studio.getRoutes()).not.toContain('POST /v1/talkingphotos');
	});
});

test('Retry On Fail reads the list of voices again if it could not be read', async () => {
	studio.service.injectFault({ status: 403, when: { path: '/v1/voices' }, times: 1 });
	await studio.run(byName('Ryan'), { settings: { retryOnFail: true, waitBetweenTries: 1 } });
	expect(getUsedVoices()).toStrictEqual([VOICE]);
});

test('Items share one list of voices, but not with those of another account', async () => {
	const items = ['demo-key', 'wrong', 'demo-key'].map((key) => ({ json: { key } }));
	const { json, errorItems } = await studio.run(byName('Ryan'), {
		credentials: { ...studio.credentials, apiKey: '={{ $json.key }}' },
		items,
		settings: { onError: 'continueErrorOutput' },
	});
	expect(json).toHaveLength(2);
	expect(errorItems).toMatchObject([{ json: { errorDetails: { httpCode: 401 } } }]);
	const lists = studio.getRoutes().filter((route) => route === 'GET /v1/voices');
	expect(lists).toHaveLength(2);
});

describe('An asset', () => {
	const asset = (name: string, id = createUuid(name)) => ({ id, name, extension: '.svg' });
	const byName = (text: string) => ({ assetId: createLocator(text, 'name') });

	it.each([
		['avatar PORTRAIT', ['Avatar portrait'], 'Avatar portrait'],
		[' Avatar portrait\n', ['Avatar portrait'], 'Avatar portrait'],
		['cafe', ['Café'], 'Café'],
		['Résumé', ['Resume', 'Résumé'], 'Résumé'],
		['resume', ['Résumé', 'Resume'], 'Resume'],
		['Logo', ['Lo\u200bgo\u2060'], 'Lo\u200bgo\u2060'],
		[createUuid('a'), ['a', createUuid('a')], 'a'],
	])('is found by %j among %j', async (text, names, name) => {
		studio.service.assets = names.map((each) => asset(each));
		expect((await studio.run(getAsset('', byName(text)))).json).toMatchObject([{ name }]);
	});

	describe.each(['id', 'name'] as const)('by its name in the mode %s', (mode) => {
		const locate = (text: string) => ({ assetId: createLocator(text, mode) });
		const [id, name] = [createUuid('O’Brien'), "O'BRIEN"];
		beforeEach(() => (studio.service.assets = [asset('O’Brien'), asset('Twin')] as never));

		it.each([
			['got', getAsset(''), `GET /v1/assets/${id}`],
			['renamed', updateAsset(''), `PATCH /v1/assets/${id}`],
			['downloaded', downloadAsset(''), `GET /v1/assets/${id}`],
			['deleted', deleteAsset(''), `DELETE /v1/assets/${id}`],
		])('is %s', async (_what, parameters, route) => {
			await studio.getOutcome({ ...parameters, ...locate(name) });
			expect(studio.getRoutes()).toContain(route);
		});

		it('is never deleted if there are two', async () => {
			studio.service.assets.push(asset('twin', createUuid('2')));
			const failure = await studio.getFailure({ ...deleteAsset(''), ...locate('Twin') });
			expect(failure).toContain('Asset "Twin" matches 2 assets');
			expect(studio.service.assets).toHaveLength(3);
		});
	});

	it.each([SOME_ID, '4711', '01hv3k9zq7m2x8w5t4r6y1p0ab'])(
		'that is entered as the ID %s is not looked up',
		async (id) => {
			studio.service.injectFault({ body: {} });
			await studio.getOutcome(getAsset(id));
			expect(studio.getRoutes()).toStrictEqual([`GET /v1/assets/${id}`]);
			// The contract knows UUIDs only.
			studio.service.requests.length = 0;
		},
	);

	it.each([
		['portrait', asset('Avatar portrait'), 'Asset "portrait" matches no asset'],
		['Resumé', asset('Résumé'), 'Asset "Resumé" matches no asset'],
		['Мои', asset('Мой'), 'Asset "Мои" matches no asset'],
		['\u200b\u2060', asset('\u200b'), 'Asset is empty'],
		['B', asset('b'), 'Asset "B" matches 2 assets'],
		['Logo', asset('Logo', '..'), 'The ID of this record cannot be part of a URL'],
	])('is never deleted by %j if it is %j', async (text, wanted, words) => {
		const body = { assets: [wanted, asset('B')] };
		studio.service.injectFault({ when: { path: '/v1/assets' }, body });
		expect(await studio.getFailure(deleteAsset('', byName(text)))).toContain(words);
		expect(studio.getRoutes().filter((route) => route !== 'GET /v1/assets')).toStrictEqual([]);
	});
});
