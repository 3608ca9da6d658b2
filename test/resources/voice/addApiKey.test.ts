import { getError, getErrorText } from '../../support/engine/engine';
import { addApiKey } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

const key = { providerName: 'Aurora', serviceName: 'AuroraSpeech', encryptedKey: 'c2VjcmV0' };

test.each([200, 204])(
	'I register a key of a voice provider, and an empty response with status %i is a success',
	async (status) => {
		studio.service.injectFault({ status, ...(status === 200 && { body: {} }), afterEffect: true });
		const { json, items } = await studio.run(addApiKey());
		expect(json).toStrictEqual([{ success: true }]);
		expect(items[0]!.pairedItem).toStrictEqual({ item: 0 });
		expect(studio.service.providerKeys).toStrictEqual([key]);
		expect(getOnlyRequest(studio)).toMatchObject({
			method: 'POST',
			url: '/v1/voices/add-api-key',
			rawBody: JSON.stringify(key),
			headers: {
				'x-api-key': studio.service.apiKey,
				accept: 'application/json',
				'content-type': 'application/json',
			},
		});
	},
);

test('The encrypted key is sent unchanged, special characters included', async () => {
	const encryptedKey = ' a+b/c==\n{"iv":"é"} ';
	await studio.run(addApiKey({ encryptedKey }));
	expect(getOnlyRequest(studio).body).toStrictEqual({ ...key, encryptedKey });
});

test("The service's response is passed on", async () => {
	studio.service.injectFault({ status: 201, body: { id: 7, active: true } });
	const { json } = await studio.run(addApiKey());
	expect(json).toStrictEqual([{ id: 7, active: true }]);
});

test('No error contains the provider key', async () => {
	studio.service.injectFault({ status: 422, body: { detail: 'providerName is not known.' } });
	const error = await getError(studio.run(addApiKey()));
	expect(getErrorText(error)).toContain('providerName is not known');
	expect(JSON.stringify([error.message, error.description, error.context])).not.toContain(
		'c2VjcmV0',
	);
});
