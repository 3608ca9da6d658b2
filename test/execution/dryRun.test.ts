import { runOperation } from '../support/files';
import { byLabel, operations } from '../support/operations';
import { CONTINUE, createLocator, createSpeech } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

const writing = operations.filter(({ route }) => !route.startsWith('GET '));
/** What a dry run shows instead: a link that opens a file, and the key of a provider. */
const MASKED: Record<string, object> = {
	'Asset: Upload': { fileUrl: 'https://n8n.example.com/rest/binary-data/signed?token=…' },
	'Voice: Add API Key': { encryptedKey: '…' },
};

test.each(byLabel(writing))(
	'%s shows in a dry run the request that a real run sends, and changes nothing',
	async (label, operation) => {
		const withDryRun = (dryRun: boolean) => ({
			...operation,
			parameters: { ...operation.parameters, options: { dryRun } },
		});
		const { json, items } = await runOperation(studio, withDryRun(true));
		expect(studio.service.requests).toStrictEqual([]);
		// The stand-in cannot read these files.
		await runOperation(studio, withDryRun(false), CONTINUE);
		const [sent] = studio.service.requests;
		const { method, url, body } = sent!;
		const shown = body ? { body: { ...body, ...MASKED[label] } } : {};
		const request = { method, url: `${studio.service.url}${url}`, ...shown };
		expect(json).toStrictEqual([{ dryRun: true, request }]);
		expect(items[0]!.pairedItem).toStrictEqual({ item: 0 });
		expect(JSON.stringify(json)).not.toContain(studio.service.apiKey);
	},
);

test('A dry run looks voices and names up, and refuses what a real run refuses', async () => {
	const voiceId = createLocator('={{ $json.voice }}', 'name');
	const items = ['Ryan, en-GB', 'Nobody'].map((voice) => ({ json: { voice } }));
	const parameters = createSpeech({ voiceId, options: { dryRun: true } });
	const { json } = await studio.run(parameters, { items, ...CONTINUE });
	expect(json[0]).toMatchObject({ request: { body: { voiceId: 'au-en-GB-ryan' } } });
	expect(json[1]!.error).toContain('Voice "Nobody" matches no voice [item 1]');
	expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
});
