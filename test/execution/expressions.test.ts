import { getError } from '../support/engine/engine';
import {
	createLocator,
	createSpeech,
	createVideo,
	deleteAsset,
	getAssets,
	ITEM_SCRIPT,
	updateAsset,
} from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

const items = [
	{
		json: {
			tenant: { name: 'Ada' },
			first: 'Fernando',
			label: 'Finance report',
			amount: 5,
			zero: 0,
			title: 'The Infinity pool',
			dish: 'Garlic Nan',
			basket: [{ name: 'Banana', price: 1 }, { name: 'Apple' }],
		},
	},
];

const listScripts = () => studio.service.speeches.map(({ script }) => script);

// "NaN" is found in the words "tenant", "Maintenance", "Fernando" and "isNaN", and so counts as meant.
test.each([
	['=Your rent is {{ $json.tenant.rent * 12 }} euros'],
	['=The plan costs {{ $json["Maintenance fee"] * 12 }} euros'],
	['={{ $json.first + ", you owe " + $json.price * 2 + " euros" }}'],
	['={{ $json.label + " costs " + $json.price * 2 }}'],
	['={{ $json.dish + " costs " + $json.price * 2 }}'],
	['={{ "こんにちは" + $json.nick + "さん" }}'],
	['={{ "合計は" + $json.price * 2 + "円です" }}'],
	['=Your basket costs {{ $json.basket.reduce((sum, it) => sum + it.price, 0) }} euros'],
	['={{ isNaN($json.amount) ? "" : "You pay " + $json.amount * $json.count }}'],
	['={{ $json.nick !== undefined ? $json.nick : $json.first + " " + $json.last }}'],
	['={{ typeof $json.nick === "undefined" ? `Dear ${$json.last}` : $json.nick }}'],
	['={{ "Your next meeting: " + new Date($json.first) }}'],
	['={{ $json.tenant.name + " of " + $json.tenant }}'],
	['=Dear {{ $json.tenant }}'],
	['={{ $json.nick ? $json.nick : $json.last }} owes 5 euros'],
])(
	'A word of the expression or of its data is no reason to speak a failed calculation: %s',
	async (script) => {
		await studio.run(createSpeech({ script }), { items }).catch(() => undefined);
		expect(listScripts()).toEqual([]);
	},
);

// JavaScript calculates with a blank cell as with 0.
test.each([
	['=It costs {{ $json.price * 1.19 }} euros'],
	['=It costs {{ ($json.price / 2).toFixed(2) }} euros'],
	['=You save {{ $json.amount - $json.price }} euros'],
	['=It costs {{ Math.round($json.price) }} euros'],
	['={{ "It costs " + Number($json["price"]) + " euros" }}'],
	['=It costs {{ $json.price/100 }} euros'],
	['=You save {{ $json.amount-$json.price }} euros'],
	['=It costs {{ $json.price.toNumber() }} euros'],
	['=It costs {{ +$json.price }} euros'],
	['=Das kostet {{ ($json.price.replace(",", ".") * 1.19).toFixed(2) }} Euro'],
	['={{ "It costs " + $json.price.trim() * 2 + " euros" }}'],
	['={{ "It costs " + (+$json.price) + " euros" }}'],
	['=It was {{ DateTime.fromSeconds(+$json.price).toFormat("dd.MM.yyyy") }}'],
	['=It costs {{ new Intl.NumberFormat("de-DE").format($json.price) }}'],
])('A blank cell is no price of 0: %s', async (script) => {
	for (const price of ['', ' ']) {
		const { error } = await studio.getOutcome(createSpeech({ script }), {
			items: [{ json: { amount: 5, price } }],
		});
		expect(error?.message).toContain('has no value for');
	}
	expect(listScripts()).toEqual([]);
});

test.each([
	['=Hello {{ $json.name.replace(/\\d+/g, "") }}', 'Hello '],
	['=Hello {{ $json.name + " - welcome" }}', 'Hello  - welcome'],
	['={{ `Hello ${$json.name} - welcome` }}', 'Hello  - welcome'],
	['={{ `Hello ${$json.name}, 100 % of ${$json.price * 2}` }}', 'Hello , 100 % of 10'],
	['={{ "Hello " + $json.name + " you pay " + Math.round($json.price) }}', 'Hello  you pay 5'],
	['={{ "Hi" + $json.name.replace(/<[^>]*>/g, "") }}', 'Hi'],
	['={{ "Hi" /* first */ + $json.name // optional\n }}', 'Hi'],
	['=Topics: {{ $json.topics.join(", ") }}', 'Topics: '],
	['=Number {{ $json.name.replace(/(\\d\\d\\d)$/, ".$1") }}', 'Number '],
])('A blank beside other text, in a script, may be meant: %s', async (script, spoken) => {
	await studio.run(createSpeech({ script }), {
		items: [{ json: { name: '', price: 5, topics: [] } }],
	});
	expect(listScripts()).toEqual([spoken]);
});

test('The time beside a blank is no calculation', async () => {
	const script = '={{ "Hello " + $json.name + Date.now() + " " + $now.toISO() }}';
	const rows = Array.from({ length: 30 }, () => ({ json: { name: '' } }));
	await studio.run(createSpeech({ script }), { items: rows });
	expect(listScripts()).toHaveLength(30);
});

// Databases and tables return null for an empty cell.
test.each([
	['={{ `Hello, how are you? Your order: ${$json.order}` }}'],
	['={{ $json.rows.map((row) => `${row.name}: ${row.price} euros`).join(", ") }}'],
	['={{ $json.rows.find((row) => row.price).name + "" }}'],
	['={{ ($json.first || "you") + ", " + $json.order }}'],
])('"null" is not spoken: %s', async (script) => {
	const rows = [
		{ name: null, price: 3 },
		{ name: 'B', price: null },
	];
	const { error } = await studio.getOutcome(createSpeech({ script }), {
		items: [{ json: { first: 'Ann', order: null, rows } }],
	});
	expect(error?.message).toMatch(/contains null|has no value/);
	expect(listScripts()).toEqual([]);
});

test.each([
	[
		"={{ `We're glad, ${$json.none || 'friend'}, you're here` }}",
		"We're glad, friend, you're here",
	],
	["={{ $json.none ? `Hi ${$json.none}, it's me` : 'Hi, it is me' }}", 'Hi, it is me'],
	["={{ 'It\\'s ' + ($json.none ?? 'you') + ' isn\\'t it' }}", "It's you isn't it"],
	['={{ "5\\" " + ($json.none ?? "to") + " 6\\"" }}', '5" to 6"'],
])('An apostrophe in a text hides no choice: %s', async (script, spoken) => {
	await studio.run(createSpeech({ script }), { items: [{ json: { none: null } }] });
	expect(listScripts()).toEqual([spoken]);
});

test.each(['Stunde null.', 'Der Zähler steht auf null, wie gestern.'])(
	'The word of a German text is spoken: %s',
	async (text) => {
		const script = '={{ $json.text + "" }}';
		await studio.run(createSpeech({ script }), { items: [{ json: { text, other: null } }] });
		expect(listScripts()).toEqual([text]);
	},
);

// n8n and `Intl` write "∞" for Infinity.
test.each([
	['=One costs {{ (5 / $json.zero).toLocaleString("de-DE") }} euros'],
	['=One costs {{ (5 / $json.zero).format() }} euros'],
	['=It costs {{ ($json.price * 2).toLocaleString("ru-RU") }}.'],
	['=It costs {{ ($json.price * 2).toLocaleString("fi-FI") }}.'],
	['=It costs {{ ($json.price * 2).toLocaleString("zh-TW") }}.'],
	['=It costs {{ ($json.price * 2).toLocaleString("ar") }}.'],
	['=It costs {{ ($json.price * 2).toLocaleString("fa") }}.'],
])('A formatted number that is none is not spoken: %s', async (script) => {
	await studio.run(createSpeech({ script }), { items }).catch(() => undefined);
	expect(listScripts()).toEqual([]);
});

test("The parts of an agent's field that are no $fromAI are looked at as well", async () => {
	const script =
		'={{ $fromAI("text") }} It costs {{ $json.price * 2 }} euros, {{ "Ann " + $json.last }}.';
	await studio.call(createSpeech({ script }), [{ text: 'Hello.' }]).catch(() => undefined);
	expect(listScripts()).toEqual([]);
});

test.each([
	["={{ $('Source')\n\t.item.json.title }}"],
	["={{ $('Source').itemMatching(0).json.title }}"],
	["={{ $('Source').first(0).json.title }}"],
])('What the data say is meant, however the expression refers to them: %j', async (script) => {
	await studio.run(createSpeech({ script }), { items });
	expect(listScripts()).toEqual(['The Infinity pool']);
});

test.each([
	['Join NaNoWriMo this November.'],
	['Ein Infinitypool auf dem Dach.'],
	['Infinityプールは屋上にあります。'],
	['Our pools:\nInfinity pool'],
	['1.\t∞'],
])('A word of the data that looks like a failed calculation is spoken: %j', async (text) => {
	await studio.run(createSpeech({ script: '={{ $json.text }}' }), { items: [{ json: { text } }] });
	expect(listScripts()).toEqual([text]);
});

test('A text with {{ }} that is no expression, in a workflow that a model wrote or in data, is not spoken', async () => {
	const text = 'Hello {{ $json.name }}';
	for (const script of [text, '={{ $json.text }}', '={{ $json.text.replace(/ (?=\\$)/, "") }}']) {
		const run = studio.run(createSpeech({ script }), { items: [{ json: { text } }] });
		const error = await getError(run);
		expect(error.message).toBe('Script contains an expression that n8n does not evaluate');
	}
	await studio.run(createSpeech({ script: 'In JSX, style={{ color }} has two braces.' }));
	expect(listScripts()).toEqual(['In JSX, style={{ color }} has two braces.']);
});

test('A duration that cannot be calculated is not spoken', async () => {
	const script = '=It starts in {{ DateTime.fromISO($json.date).diffNow().toHuman() }}.';
	const dates = [{ json: { date: '31.12.2026' } }];
	await studio.run(createSpeech({ script }), { items: dates }).catch(() => undefined);
	expect(listScripts()).toEqual([]);
});

describe('A blank value beside other text, however the expression joins them,', () => {
	const blank = [{ json: { version: '', name: 'Logo', language: 'en-GB', tags: [] } }];

	it.each([
		['={{ "Logo " + $json.version }}', '{{ $json.version }}'],
		['={{ `Logo ${$json.version}` }}', '{{ $json.version }}'],
		['={{ "Logo? " + $json.info?.version }}', '{{ $json.info?.version }}'],
		['={{ "Which? A || B: " + $json.version }}', '{{ $json.version }}'],
		["={{ 'Which? A || B: ' + $json.version }}", '{{ $json.version }}'],
		['={{ `Which for $5? A || B: ${$json.version}` }}', '{{ $json.version }}'],
		['={{ [$json.name, $json.tags[0]].join(" ") }}', '{{ $json.tags[0] }}'],
		[
			'=Logo {{ $ifEmpty($json.version, $json.none) }}',
			'{{ $ifEmpty($json.version, $json.none) }}',
		],
		['=Logo {{ $if($json.name === "x", "3", $json.version) }}', '{{ $if('],
		['={{ "Logo " + $json.version.replace("v", "") }}', '{{ $json.version }}'],
	])('deletes no other asset: %s', async (text, named) => {
		const [logo, second] = studio.service.assets;
		logo!.name = 'Logo';
		second!.name = 'Logo 2';
		const parameters = deleteAsset('', { assetId: createLocator(text, 'name') });
		const { error } = await studio.getOutcome(parameters, { items: blank });
		expect(error?.message).toContain(`has no value for ${named}`);
		expect(studio.service.assets).toContain(logo);
	});

	it.each([[[null]], [['']], [[' ', null]]])(
		'deletes no other asset if it is a list of blanks, as of a lookup: %j',
		async (version) => {
			studio.service.assets[0]!.name = 'Logo';
			const assetId = createLocator('=Logo {{ $json.version }}', 'name');
			const items = [{ json: { version } }];
			const { error } = await studio.getOutcome(deleteAsset('', { assetId }), { items });
			expect(error?.message).toContain('has no value for {{ $json.version }}');
		},
	);

	it('selects not every asset, and lets no other voice speak', async () => {
		const nameContains = '={{ $json.name + "-" + $json.version }}';
		const voiceId = createLocator('={{ $json.language + ", " + $json.version }}', 'language');
		for (const parameters of [
			getAssets({ filters: { nameContains } }),
			createSpeech({ voiceId }),
		]) {
			const { error } = await studio.getOutcome(parameters, { items: blank });
			expect(error?.message).toContain('has no value for {{ $json.version }}');
		}
		expect(studio.service.requests).toEqual([]);
	});

	it.each([
		['={{ $json.version || $json.name }}'],
		['={{ $json.version ? "Logo " + $json.version : "Logo" }}'],
		['={{ [$json.name, $json.version].filter(Boolean).join(" ") }}'],
		['={{ $ifEmpty($json.version, $json.name) }}'],
		['={{ "Logo" + ($json.version ?? "") }}'],
		['={{ $max(1, 2) === 2 && $json.name }}'],
		['={{ $json.name.split("$5").join("") }}'],
		['={{ $json.name }}{{ $json.version??"" }}'],
		['={{ $json.name }}{{ $json.version||   "" }}'],
		['={{ $json.name }}{{ $json.version ?"": $json.none ??"" }}'],
		['={{ $json.name }}{{ $json.version === "2" ? " 2" : "" }}'],
		['={{ $json.name }}{{ $json.version !== "2" ? "" : " 2" }}'],
		['={{ $json.name }}{{ $if($json.version === "2", " 2", "") }}'],
		['={{ $json.name }}{{ $ifEmpty($json.version, "") }}'],
	])('is meant if the expression chooses among values: %s', async (text) => {
		studio.service.assets[0]!.name = 'Logo';
		const assetId = createLocator(text, 'name');
		await studio.run(deleteAsset('', { assetId }), { items: blank });
		expect(studio.service.assets.filter(({ name }) => name === 'Logo')).toEqual([]);
	});
});

test.each([
	['=Hello {{ $json.first.split("{{")[0] }}', 'Hello Fernando'],
	['=Write \\{{ name }} here, {{ $json.first }}', 'Write \\{{ name }} here, Fernando'],
])('Braces that n8n does not read as an expression are none: %s', async (script, spoken) => {
	await studio.run(createSpeech({ script }), { items });
	expect(listScripts()).toEqual([spoken]);
});

test.each(['null', 'None', ' N/A', 'undefined'])(
	'A field into which an agent writes "%s" counts as left empty',
	async (word) => {
		const parameters = createVideo({
			script: '={{ $fromAI("script") }}',
			videoTitle: '={{ $fromAI("title") }}',
		});
		const answers = await studio.call(parameters, [
			{ script: word, title: 'Hello' },
			{ script: 'Hello', title: word },
		]);
		expect(answers[0]).toContain('Script is empty');
		expect(studio.service.videos.map(({ videoTitle }) => videoTitle)).toEqual(['Hello']);
	},
);

test('A part of a text into which an agent writes "null" is an error that names it', async () => {
	const script = '=Hello {{ $fromAI("name") }}, welcome!';
	const [answer] = await studio.call(createSpeech({ script }), [{ name: 'null' }]);
	expect(answer).toContain('Script has no value for {{ $fromAI');
	expect(listScripts()).toEqual([]);
});

test.each([
	'$json.newName',
	'=$json.newName',
	'=Copy of $json.name',
	'{{ String($json.name) }}',
	'{{ Math.max($vars.price, 1) }}',
	"$('Source').item.json.newName",
	'=$node["Source"].json.newName',
	'=Copy {{ $json.amount }} of $input.item.json.name',
	'={{ "Copy of $json.title" }}',
])(
	'An asset is not renamed to an expression whose braces or "=" were forgotten: %s',
	async (name) => {
		const { id } = studio.service.assets[0]!;
		const error = await getError(studio.run(updateAsset(id, { name }), { items }));
		expect(error.message).toMatch(/contains (an expression that n8n does not evaluate|\$json\.)/);
		expect(studio.service.requests).toEqual([]);
	},
);

test.each([
	'Use $json.name in n8n.',
	"$('Form').item is a node's item.",
	'It costs $(5).',
	'None of us knows.',
	'Of the answers it is none',
])(
	'A text of the data, or of an agent, that looks like an expression or a word for nothing is spoken: %s',
	async (text) => {
		await studio.run(createSpeech({ script: ITEM_SCRIPT }), {
			items: [{ json: { script: text } }],
		});
		await studio.call(createSpeech({ script: '={{ $fromAI("script") }}' }), [{ script: text }]);
		expect(listScripts()).toEqual([text, text]);
	},
);

test('A part of a name that an agent leaves blank does not delete the asset that the rest names', async () => {
	const count = studio.service.assets.length;
	const { name } = studio.service.assets[0]!;
	const assetId = createLocator(`=${name} {{ $fromAI("version") }}`, 'name');
	const [answer] = await studio.call(deleteAsset('', { assetId }), [{ version: '' }]);
	expect(answer).toContain('Asset has no value for {{ $fromAI');
	expect(studio.service.assets).toHaveLength(count);
});

test('A part of a name that an agent leaves blank may be one that the user allows', async () => {
	const { name } = studio.service.assets[0]!;
	const assetId = createLocator(`=${name}{{ $fromAI("version") || "" }}`, 'name');
	const [answer] = await studio.call(deleteAsset('', { assetId }), [{ version: '' }]);
	expect(answer).toContain('"deleted":true');
});

test('What is looked up in a list is no choice: a blank beside it does not delete another asset', async () => {
	const count = studio.service.assets.length;
	const { name } = studio.service.assets[0]!;
	const code = '={{ $json.customer + " " + $json.files.find((it) => it.main).name }}';
	const error = await getError(
		studio.run(deleteAsset('', { assetId: createLocator(code, 'name') }), {
			items: [{ json: { customer: '', files: [{ main: true, name: name }] } }],
		}),
	);
	expect(error.message).toContain('Asset has no value for');
	expect(studio.service.assets).toHaveLength(count);
});

// An agent cannot leave a field out, but what the user wrote beside `$fromAI` is no agent's.
test('A part without a value beside one of an agent does not delete another asset', async () => {
	const count = studio.service.assets.length;
	const { name } = studio.service.assets[0]!;
	const assetId = createLocator('={{ $fromAI("name") }} {{ $json.version }}', 'name');
	await studio.call(deleteAsset('', { assetId }), [{ name }]).catch(() => undefined);
	expect(studio.service.assets).toHaveLength(count);
});

test('A part without a value beside one that an agent leaves blank does not select every asset', async () => {
	const nameContains = '={{ $fromAI("name") }}{{ $json.customer }}';
	const answers = await studio.call(getAssets({ returnAll: true, filters: { nameContains } }), [
		{ name: '' },
	]);
	expect(answers.join()).not.toContain(studio.service.assets[0]!.id);
});

// n8n gives a tool the first item of several.
describe.each([
	['={{ $json.id }}'],
	["={{ $('Source').item.json.id }}"],
	["={{ $('Source')?.item.json.id }}"],
	['={{ $input.all()[$itemIndex].json.id }}'],
])('In a tool, %s', (code) => {
	const listItems = (count: number) =>
		studio.service.assets.slice(0, count).map(({ id }) => ({ json: { id } }));

	it.each([0, 1] as const)('deletes none of several assets (output %i)', async (output) => {
		const before = studio.service.assets.length;
		const run = { items: listItems(3), output };
		const [answer] = await studio.call(deleteAsset(code), [{}], run);
		expect(answer).toContain('Asset refers to one of several items');
		expect(studio.service.assets).toHaveLength(before);
	});

	it.each([false, true])('deletes the only one (pinned: %s)', async (isPinned) => {
		const run = { items: listItems(1), isPinned };
		const [answer] = await studio.call(deleteAsset(code), [{}], run);
		expect(answer).toContain('"deleted":true');
	});
});

describe.each(['#N/A', '#REF!', ' #DIV/0! ', '#SPILL!', '#CALC!'])(
	'A cell whose formula failed (%s)',
	(cell) => {
		it.each(['=Hello {{ $json.cell }}!', '={{ "You owe " + $json.cell }}', '={{ $json.cell }}'])(
			'is not spoken: %s',
			async (script) => {
				const error = await getError(
					studio.run(createSpeech({ script }), { items: [{ json: { cell } }] }),
				);
				expect(error.message).toContain('Script has no value for {{');
				expect(listScripts()).toEqual([]);
			},
		);
	},
);

test('A text that speaks of a failed formula is spoken, and so is what is chosen instead', async () => {
	const texts = ['What is #REF!?', 'What is #REF!', '#REF! is an error'];
	const rows = texts.map((text) => ({ json: { text, cell: '#N/A' } }));
	const chosen = '={{ $json.cell === "#N/A" ? "Hello" : $json.cell }}';
	await studio.run(createSpeech({ script: '={{ $json.text }}' }), { items: rows });
	await studio.run(createSpeech({ script: chosen }), { items: rows.slice(1, 2) });
	expect(listScripts()).toEqual([...texts, 'Hello']);
});

test.each([
	['={{$json.vip?"Dear VIP":"Dear customer"}}', 'Dear customer'],
	['={{ [$json.vip, $json.name].filter((it) => it).join(" ") }}', 'Ann'],
	['={{ [$json.vip, $json.name].compact().join(" ") }}', 'Ann'],
	['={{ [$json.vip, $json.name].find((it) => it) }}', 'Ann'],
	['={{ (() => { if ($json.vip) return "VIP"; return "Ann"; })() }}', 'Ann'],
])(
	'What a choice does without may be missing, however it is written: %s',
	async (script, spoken) => {
		const items = [{ json: { vip: null, name: 'Ann' } }];
		await studio.run(createSpeech({ script }), { items });
		expect(listScripts()).toEqual([spoken]);
	},
);

const optional = [{ json: { voice: 'Ryan', language: 'en-GB', color: 'blue', subtitle: '' } }];

test.each<['language' | 'name', string]>([
	['language', '={{ $json.language }}{{ $json.gender ? ", " + $json.gender : "" }}'],
	['name', '={{ $json.voice }}{{ $json.region ? ", " + $json.region : "" }}'],
])(
	'An optional part of the voice, in mode %s, may be an empty text that the user wrote',
	async (mode, text) => {
		await studio.run(createSpeech({ voiceId: createLocator(text, mode) }), { items: optional });
		expect(studio.service.speeches).toHaveLength(1);
	},
);

test.each([
	[
		'={ "background": "{{ $json.color }}"{{ $json.logo ? `, "logo": "${$json.logo}"` : "" }} }',
		{ background: 'blue' },
	],
	['={ "subtitle": "{{ $json.subtitle }}" }', { subtitle: '' }],
	['={ "subtitle": "{{ $json.missing ?? "" }}" }', { subtitle: '' }],
])('An optional part of Custom Body may be an empty text: %s', async (customBody, body) => {
	const options = { customBody, dryRun: true };
	const { json } = await studio.run(createSpeech({ options }), { items: optional });
	expect(json).toMatchObject([{ request: { body } }]);
});

test.each([
	['={{ { script: "You owe " + $json.first * 2 + " euros" } }}', 'contains NaN, which'],
	['={{ { script: $json.tenant + "" } }}', 'contains [object Object], which'],
	['={{ { scenes: [{ height: $json.first * 2 }] } }}', 'contains NaN, which'],
	['={{ { script: [$json.first][1] } }}', 'contains undefined, which'],
	['={{ { script: `Dear ${$json.last}` } }}', 'has no value for {{ $json.last }}'],
])('A failed calculation within an object is not sent either: %s', async (customBody, failed) => {
	const { error } = await studio.getOutcome(createSpeech({ options: { customBody } }), { items });
	expect(error?.message).toContain(`Custom Body ${failed}`);
	expect(studio.service.requests).toEqual([]);
});

test('What an object for Custom Body says is sent as it is', async () => {
	const customBody = '={{ { title: $json.title, logo: $json.logo ?? null, zero: $json.zero } }}';
	const { json } = await studio.run(createSpeech({ options: { customBody, dryRun: true } }), {
		items,
	});
	const body = { title: 'The Infinity pool', logo: null, zero: 0 };
	expect(json).toMatchObject([{ request: { body } }]);
});

// The next node may delete them.
test.each([
	['=a{{ $json.id.replace("#", "") }}'],
	["=a{{ $json.id.split('').join('') }}"],
	['=a{{ $json.none.join("") }}'],
])('A blank that a method leaves does not select other assets: %s', async (nameContains) => {
	const parameters = getAssets({ returnAll: true, filters: { nameContains } });
	const { error } = await studio.getOutcome(parameters, {
		items: [{ json: { id: '', none: [] } }],
	});
	expect(error?.message).toContain('Name Contains has no value for');
});

/** How long it takes to prepare so many rows. */
async function measure(script: string, text: string): Promise<number> {
	const columns = Array.from({ length: 12 }, (_, column) => `column ${column}`);
	const items = Array.from({ length: 500 }, (_, id) => ({
		json: { text, ...Object.fromEntries(columns.map((name) => [name, `some value ${id}`])) },
	}));
	const startedAt = performance.now();
	await studio.getOutcome(createSpeech({ script, options: { dryRun: true } }), { items });
	return performance.now() - startedAt;
}

test.each([
	['text', 'Infinity pool'],
	['missing * 2', 'Pool'],
])(
	'500 rows with something that looks like an error take about as long as others (%s)',
	async (code, text) => {
		const usual = await measure('={{ $("Source").all()[$itemIndex].json.text }}', 'Pool');
		const suspicious = await measure(`={{ $("Source").all()[$itemIndex].json.${code} }}`, text);
		expect(suspicious).toBeLessThan(3 * usual);
	},
	100_000,
);
