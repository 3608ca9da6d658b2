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
	const input = [{ json: { field: 'spoken' } }];
	const { items } = await studio.run(createSpeech({ options }), { items: input });
	const file = { fileName: `speech-${studio.service.speeches[0]!.id}.wav`, mimeType: 'audio/wav' };
	const json = { ...file, fileSize: expect.any(String) };
	const spoken = expect.objectContaining({ ...file, fileExtension: 'wav' });
	expect(items).toStrictEqual([{ json, binary: { spoken }, pairedItem: { item: 0 } }]);
	expect((await readFile(items[0], 'spoken')).equals(sampleFiles.speech)).toBe(true);
	expect(getOnlyRequest(studio).body).toStrictEqual({ script: 'Hello there', voiceId: VOICE });
});

test.each(['{ "script": "The last word", "speed": 2 }', '={{ $json }}'])(
	'A custom body is merged last and overrides the fields: %s',
	async (customBody) => {
		studio.service.configure({ extraBodyFields: ['speed'] });
		const items = [{ json: { script: 'The last word', speed: 2 } }];
		await studio.run(createSpeech({ script: 'Overruled', options: { customBody } }), { items });
		const body = { script: 'The last word', voiceId: VOICE, speed: 2 };
		expect(getOnlyRequest(studio).rawBody).toBe(JSON.stringify(body));
	},
);
