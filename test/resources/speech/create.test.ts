import { sampleFiles } from '../../../service/assets';
import { getError, getErrorText, readFile } from '../../support/engine/engine';
import { createLocator, createSpeech, VOICE } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I turn a script into speech', async () => {
	const { json, items } = await studio.run(createSpeech({ script: 'Good morning' }));
	expect(json).toStrictEqual([{ success: true }]);
	expect(items[0]!.pairedItem).toStrictEqual({ item: 0 });
	expect(studio.service.speeches).toMatchObject([{ voiceId: VOICE, script: 'Good morning' }]);
	expect(getOnlyRequest(studio)).toMatchObject({
		method: 'POST',
		url: '/v1/speech',
		rawBody: JSON.stringify({ script: 'Good morning', voiceId: VOICE }),
		headers: { 'x-api-key': studio.service.apiKey, accept: 'application/json' },
	});
});

test('The content type is exactly the one in the specification', async () => {
	await studio.run(createSpeech());
	expect(getOnlyRequest(studio).headers['content-type']).toBe('application/*+json');
	const names = getOnlyRequest(studio).rawHeaders.map((name) => name.toLowerCase());
	expect(names.filter((name) => name === 'content-type')).toHaveLength(1);
});

test('I use a voice that I selected from the list', async () => {
	await studio.run(createSpeech({ voiceId: createLocator('me-fr-FR-celeste', 'list') }));
	expect(getOnlyRequest(studio).body).toMatchObject({ voiceId: 'me-fr-FR-celeste' });
});

test('The JSON contains a link to the audio', async () => {
	studio.service.configure({ speechResponse: 'link' });
	const { json, items } = await studio.run(createSpeech());
	const { id } = studio.service.speeches[0]!;
	expect(json).toStrictEqual([
		{ id, voiceId: VOICE, audioUrl: expect.stringContaining(`/speeches/${id}.wav`) },
	]);
	expect(items[0]!.binary).toBeUndefined();
});

test('Audio becomes a file with name, extension and type, described in the JSON', async () => {
	studio.service.configure({ speechResponse: 'file' });
	const { json, items } = await studio.run(createSpeech({ script: 'One two three' }));
	const fileName = `speech-${studio.service.speeches[0]!.id}.wav`;
	expect(json).toStrictEqual([{ fileName, mimeType: 'audio/wav', fileSize: expect.any(String) }]);
	expect(items[0]!.binary!.data).toMatchObject({
		fileName,
		fileExtension: 'wav',
		mimeType: 'audio/wav',
	});
	expect((await readFile(items[0])).equals(sampleFiles.speech)).toBe(true);
	expect(items[0]!.pairedItem).toStrictEqual({ item: 0 });
});

test('I choose the output field of the audio, which is not sent', async () => {
	studio.service.configure({ speechResponse: 'file' });
	const { items } = await studio.run(
		createSpeech({ options: { binaryPropertyName: '={{ $json.field }}' } }),
		{ items: [{ json: { field: 'spoken' } }] },
	);
	expect(Object.keys(items[0]!.binary!)).toStrictEqual(['spoken']);
	expect(Object.keys(getOnlyRequest(studio).body as object)).toStrictEqual(['script', 'voiceId']);
});

test('Text becomes an item with the text', async () => {
	studio.service.configure({ speechResponse: 'text' });
	const { json, items } = await studio.run(createSpeech());
	expect(json).toStrictEqual([
		{ data: expect.stringContaining(`${studio.service.filesUrl}/speeches/`) },
	]);
	expect(items[0]!.binary).toBeUndefined();
});

test('No content is a success', async () => {
	studio.service.configure({ speechResponse: 'noContent' });
	const { json } = await studio.run(createSpeech());
	expect(json).toStrictEqual([{ success: true }]);
});

test('An array becomes one item per entry, each linked to my item', async () => {
	studio.service.configure({ speechResponse: 'array' });
	const { json, items } = await studio.run(createSpeech());
	expect(json).toStrictEqual([
		expect.objectContaining({ audioUrl: expect.any(String) }),
		expect.objectContaining({ audioUrl: expect.any(String) }),
	]);
	expect(json[0]!.audioUrl).not.toBe(json[1]!.audioUrl);
	expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual([{ item: 0 }, { item: 0 }]);
});

test('A custom body is merged last and overrides the fields', async () => {
	studio.service.configure({ extraBodyFields: ['speed'] });
	await studio.run(
		createSpeech({
			script: 'Overruled',
			options: { customBody: '{ "script": "The last word", "speed": { "rate": 1.5 } }' },
		}),
	);
	expect(getOnlyRequest(studio).rawBody).toBe(
		JSON.stringify({ script: 'The last word', voiceId: VOICE, speed: { rate: 1.5 } }),
	);
	expect(getOnlyRequest(studio).headers['content-type']).toBe('application/*+json');
});

test.each(['', '{}', '  '])('A custom body of "%s" adds nothing', async (customBody) => {
	await studio.run(createSpeech({ options: { customBody } }));
	expect(getOnlyRequest(studio).body).toStrictEqual({ voiceId: VOICE, script: 'Hello there' });
});

test('A custom body may be an object from an expression', async () => {
	studio.service.configure({ extraBodyFields: ['speed'] });
	await studio.run(createSpeech({ options: { customBody: '={{ $json.more }}' } }), {
		items: [{ json: { more: { speed: 2 } } }],
	});
	expect(getOnlyRequest(studio).body).toMatchObject({ speed: 2 });
});

test("A voice that does not exist is an error with the service's message", async () => {
	const error = await getError(
		studio.run(createSpeech({ voiceId: createLocator('au-en-GB-nobody') })),
	);
	expect(getErrorText(error)).toContain('There is no voice au-en-GB-nobody');
	expect(error.httpCode).toBe('422');
});
