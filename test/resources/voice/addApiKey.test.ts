import { getError, getErrorText } from '../../support/engine/engine';
import { addApiKey } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

const key = { providerName: 'Aurora', serviceName: 'AuroraSpeech', encryptedKey: 'c2VjcmV0' };

test('I register a key of a voice provider', async () => {
	const { json } = await studio.run(addApiKey());
	expect(json).toStrictEqual([{ success: true }]);
	expect(studio.service.providerKeys).toStrictEqual([key]);
});

test('The encrypted key is sent unchanged, special characters included', async () => {
	const encryptedKey = ' a+b/c==\n{"iv":"é"} ';
	await studio.run(addApiKey({ encryptedKey }));
	expect(getOnlyRequest(studio).body).toStrictEqual({ ...key, encryptedKey });
});

test('No error contains the provider key', async () => {
	studio.service.injectFault({ status: 422, body: { detail: 'providerName is not known.' } });
	const error = await getError(studio.run(addApiKey()));
	expect(getErrorText(error)).toContain('providerName is not known');
	expect(JSON.stringify([error.message, error.description, error.context])).not.toContain(
		'c2VjcmV0',
	);
});
