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

test('Audio becomes a file in the field that I choose, described in the JSON', async () => {
	studio.service.configure({ speechResponse: 'file' });
	const options = { binaryPropertyName: '={{ $json.field }}' };
	const { items } = await studio.run(createSpeech({ options }), {
		items: [{ json: { field: 'spoken' } }],
	});
	const fileName = `speech-${studio.service.speeches[0]!.id}.wav`;
	expect(items).toStrictEqual([
		{
			json: { fileName, mimeType: 'audio/wav', fileSize: expect.any(String) },
			binary: {
				spoken: expect.objectContaining({ fileName, fileExtension: 'wav', mimeType: 'audio/wav' }),
			},
			pairedItem: { item: 0 },
		},
	]);
	expect((await readFile(items[0], 'spoken')).equals(sampleFiles.speech)).toBe(true);
	expect(getOnlyRequest(studio).body).toStrictEqual({ script: 'Hello there', voiceId: VOICE });
});

test.each(['{ "script": "The last word", "speed": 2 }', '={{ $json }}'])(
	'A custom body is merged last and overrides the fields: %s',
	async (customBody) => {
		studio.service.configure({ extraBodyFields: ['speed'] });
		await studio.run(createSpeech({ script: 'Overruled', options: { customBody } }), {
			items: [{ json: { script: 'The last word', speed: 2 } }],
		});
		const body = { script: 'The last word', voiceId: VOICE, speed: 2 };
		expect(getOnlyRequest(studio).rawBody).toBe(JSON.stringify(body));
	},
);
