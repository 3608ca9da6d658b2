import {
	CONTINUE,
	createLocator,
	createSpeech,
	createVideo,
	getAssets,
	VOICE,
} from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

const X = '={{ $json.x }}';
const input = (...values: (string | number)[]) =>
	values.map((x, number) => ({ json: { x, number } }));
const linksTo = (...inputs: number[]) => inputs.map((item) => ({ item }));

test('Every item of a list is linked to the input item that requested it', async () => {
	const { json, items } = await studio.run(getAssets({ limit: X }), { items: input(1, 3, 2) });
	expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual(linksTo(0, 1, 1, 1, 2, 2));
	const ids = studio.service.assets.map(({ id }) => id);
	expect(json.map(({ id }) => id)).toStrictEqual([ids[0], ...ids.slice(0, 3), ...ids.slice(0, 2)]);
});

test.each([
	[
		'nobody has',
		createSpeech({ voiceId: createLocator(X) }),
		[VOICE, 'au-en-GB-nobody', VOICE],
		422,
	],
	[
		'is refused unsent',
		createVideo({ additionalFields: { videoWidth: X } }),
		[1, 'wide', 2],
		undefined,
	],
])(
	'An item whose value %s is put on the error output, linked and with its input fields',
	async (_why, parameters, values, httpCode) => {
		const { items, errorItems } = await studio.run(parameters, {
			items: input(...values),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual(linksTo(0, 2));
		expect(items.every(({ json }) => !('error' in json))).toBe(true);
		const errorDetails = {
			message: expect.any(String),
			nextStep: expect.stringMatching(/\w/),
			code: expect.any(String),
			...(httpCode && { httpCode }),
			mayExist: false,
		};
		const error = expect.stringContaining('[item 1]');
		const json = { x: values[1], number: 1, error, errorDetails };
		expect(errorItems).toStrictEqual([{ json, pairedItem: { item: 1 } }]);
	},
);

test('A run that continues keeps the order of the items, and says what failed in fields', async () => {
	const when = ({ rawBody }: { rawBody: string }) => rawBody.includes('long');
	studio.service.injectFault({ when, status: 422, body: { detail: 'Too long.' } });
	const options = { items: input('Good day', 'A long one', 'Bye'), ...CONTINUE };
	const { items, json } = await studio.run(createSpeech({ script: X }), options);
	const message = 'The service rejected the request (422): Too long';
	const nextStep = 'Correct the values of this item and try again.';
	const error = `${message} [item 1]. ${nextStep}`;
	expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual(linksTo(0, 1, 2));
	const errorDetails = { message, nextStep, code: 'rejected', httpCode: 422, mayExist: false };
	expect(json).toStrictEqual([{ success: true }, { error, errorDetails }, { success: true }]);
});

test.each([
	['a chat', { message: { chat: { id: 7 } }, update_id: 1 }],
	['a shop', { code: 'SUMMER', description: 'A voucher' }],
	['a log', { nextStep: 2, httpCode: 500, mayExist: 'yes', details: [1], status: 'new' }],
])('What %s said is still on an item that fails', async (_who, said) => {
	const settings = { onError: 'continueErrorOutput' } as const;
	const items = [{ json: { ...said, script: '' } }];
	const parameters = createSpeech({ script: '={{ $json.script }}' });
	const { errorItems } = await studio.run(parameters, { items, settings });
	expect(errorItems).toMatchObject([{ json: { ...said, error: expect.any(String) } }]);
	expect(Object.keys(errorItems[0]!.json)).toEqual(
		expect.arrayContaining([...Object.keys(said), 'script', 'error', 'errorDetails']),
	);
});
