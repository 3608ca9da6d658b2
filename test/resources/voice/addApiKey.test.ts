import { getError, getErrorText } from '../../support/engine/engine';
import { addApiKey } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I register a key of a voice provider, which is sent unchanged', async () => {
	const encryptedKey = ' a+b/c==\n{"iv":"é"} ';
	const { json } = await studio.run(addApiKey({ encryptedKey }));
	expect(json).toStrictEqual([{ success: true }]);
	const key = { providerName: 'Aurora', serviceName: 'AuroraSpeech', encryptedKey };
	expect(studio.service.providerKeys).toStrictEqual([key]);
});

test('No error contains the provider key', async () => {
	studio.service.injectFault({ status: 422, body: { detail: 'providerName is not known.' } });
	const error = await getError(studio.run(addApiKey()));
	expect(getErrorText(error)).toContain('providerName is not known');
	const shown = JSON.stringify([error.message, error.description, error.context]);
	expect(shown).not.toContain('c2VjcmV0');
});
