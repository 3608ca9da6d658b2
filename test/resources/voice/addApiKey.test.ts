import { getErrorText } from '../../support/engine/engine';
import { addApiKey } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

const key = { providerName: 'Aurora', serviceName: 'AuroraSpeech', encryptedKey: 'c2VjcmV0' };

test.each([200, 204])(
	'I register a key of a voice provider, and the service answers nothing with status %i',
	async (status) => {
		studio.service.injectFault({ status, ...(status === 200 && { body: {} }), afterEffect: true });
		const { json, items, error } = await studio.run(addApiKey());
		expect(error).toBeUndefined();
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

test('The encrypted key is sent as it is, signs and all', async () => {
	const encryptedKey = ' a+b/c==\n{"iv":"é"} ';
	await studio.run(addApiKey({ encryptedKey }));
	expect(getOnlyRequest(studio).body).toStrictEqual({ ...key, encryptedKey });
});

test('What the service answers comes through', async () => {
	studio.service.injectFault({ status: 201, body: { id: 7, active: true } });
	const { json } = await studio.run(addApiKey());
	expect(json).toStrictEqual([{ id: 7, active: true }]);
});

test('The provider key shows up in no error', async () => {
	studio.service.injectFault({ status: 422, body: { detail: 'providerName is not known.' } });
	const { error } = await studio.run(addApiKey());
	expect(getErrorText(error)).toContain('providerName is not known');
	expect(JSON.stringify([error?.message, error?.description, error?.context])).not.toContain(
		'c2VjcmV0',
	);
});
