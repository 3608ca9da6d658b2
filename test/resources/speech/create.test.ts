import { sampleFiles } from '../../../service/assets';
import { readFile } from '../../support/engine/engine';
import { createSpeech, VOICE } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I turn a script into speech', async () => {
	const { json } = await studio.run(createSpeech({ script: 'Good morning' }));
	expect(json).toStrictEqual([{ success: true }]);
	expect(studio.service.speeches).toMatchObject([{ voiceId: VOICE, script: 'Good morning' }]);
});

test('Audio becomes a file with name, extension and type, described in the JSON', async () => {
	studio.service.configure({ speechResponse: 'file' });
	const { items } = await studio.run(createSpeech());
	const fileName = `speech-${studio.service.speeches[0]!.id}.wav`;
	expect(items).toStrictEqual([
		{
			json: { fileName, mimeType: 'audio/wav', fileSize: expect.any(String) },
			binary: {
				data: expect.objectContaining({ fileName, fileExtension: 'wav', mimeType: 'audio/wav' }),
			},
			pairedItem: { item: 0 },
		},
	]);
	expect((await readFile(items[0])).equals(sampleFiles.speech)).toBe(true);
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

test('A custom body is merged last and overrides the fields', async () => {
	studio.service.configure({ extraBodyFields: ['speed'] });
	const customBody = '{ "script": "The last word", "speed": { "rate": 1.5 } }';
	await studio.run(createSpeech({ script: 'Overruled', options: { customBody } }));
	expect(getOnlyRequest(studio).rawBody).toBe(
		JSON.stringify({ script: 'The last word', voiceId: VOICE, speed: { rate: 1.5 } }),
	);
	expect(getOnlyRequest(studio).headers['content-type']).toBe('application/*+json');
});

test('A custom body may be an object from an expression', async () => {
	studio.service.configure({ extraBodyFields: ['speed'] });
	await studio.run(createSpeech({ options: { customBody: '={{ $json.more }}' } }), {
		items: [{ json: { more: { speed: 2 } } }],
	});
	expect(getOnlyRequest(studio).body).toMatchObject({ speed: 2 });
});
