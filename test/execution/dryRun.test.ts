import { runOperation } from '../support/files';
import { byLabel, getNestedProperties, operations } from '../support/operations';
import { CONTINUE, createLocator, createSpeech } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

/** The collection of an operation that contains Dry Run. */
const findCollection = ({ fields }: (typeof operations)[number]) =>
	fields.find((field) => getNestedProperties(field).some(({ name }) => name === 'dryRun'));
const creating = operations.filter(findCollection);

test.each(byLabel(creating))(
	'%s shows in a dry run the request that a real run sends, and creates nothing',
	async (label, operation) => {
		const [method, path] = operation.route.split(' ') as [string, string];
		const withDryRun = (dryRun: boolean) => ({
			...operation,
			parameters: { ...operation.parameters, [findCollection(operation)!.name]: { dryRun } },
		});
		const { json, items } = await runOperation(studio, withDryRun(true));
		expect(studio.service.requests).toStrictEqual([]);
		// The stand-in cannot read these files.
		await runOperation(studio, withDryRun(false), CONTINUE);
		const [sent] = studio.service.requests;
		const fileUrl = 'https://n8n.example.com/rest/binary-data/signed?token=…';
		const body = { ...(sent!.body as object), ...(label === 'Asset: Upload' && { fileUrl }) };
		const url = `${studio.service.url}${path}`;
		expect(json).toStrictEqual([{ dryRun: true, request: { method, url, body } }]);
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
