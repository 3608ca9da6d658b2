import { DELETED } from '../support/engine/credentialsHelper';
import { CREDENTIAL } from '../support/engine/engine';
import { createSpeech } from '../support/parameters';
import { useStudio } from '../support/studio';

// n8n would pass the input on as the output if it read the credential before the node's code runs.

const studio = useStudio();

const items = [{ json: { row: 1 } }, { json: { row: 2 } }];

describe.each([
	[
		'that was deleted',
		{ [CREDENTIAL]: { id: DELETED, name: 'Avatar Studio account' } },
		/^Credential with ID "\w+" does not exist for type "avatarStudioApi"(?!\.)/,
	],
	['that nobody selected', {}, /^No credential is selected/],
])('With a credential %s', (_which, credentials, reason) => {
	it('each item is on the error output, with the reason', async () => {
		const run = { items, settings: { credentials, onError: 'continueErrorOutput' as const } };
		const { json, errorItems } = await studio.run(createSpeech(), run);
		expect(json).toEqual([]);
		expect(errorItems).toMatchObject(
			items.map((item) => ({ json: { ...item.json, error: expect.stringMatching(reason) } })),
		);
	});

	it('the run ends', async () => {
		const { error } = await studio.getOutcome(createSpeech(), { items, settings: { credentials } });
		expect(error?.message).toMatch(reason);
	});
});
