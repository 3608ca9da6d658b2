import { useClock } from '../support/clock';
import { events } from '../support/events';
import { runOperation } from '../support/files';
import { operations } from '../support/operations';
import { SOME_ID } from '../support/parameters';
import { useTrigger } from '../support/trigger';
import { listChoices } from '../support/values';

const studio = useTrigger({ asSpecified: false });
useClock({ runs: true });

/** `useStudio` fails a test whose requests violate the contract; here, something must be sent. */
async function expectValid(run: Promise<unknown>): Promise<void> {
	const [{ reason }] = (await Promise.allSettled([run])) as [{ reason?: unknown }];
	if (studio.apiRequests.length === 0) expect(reason).toBeUndefined();
}

describe.each(operations)('$label sends only what service/openapi.yaml knows', (operation) => {
	it.each(listChoices(operation))('with $name', async ({ getParameters }) => {
		const parameters = await getParameters(studio.credentials);
		studio.service.requests.length = 0;
		// The stand-in would download the example of a File URL.
		studio.service.injectFault({ when: { method: 'POST' }, body: { id: SOME_ID } });
		await expectValid(runOperation(studio, { ...operation, parameters }));
	});
});

describe.each(events)('$label sends only what service/openapi.yaml knows', (event) => {
	it.each(listChoices(event))('with $name', async ({ getParameters }) => {
		const parameters = await getParameters(studio.credentials);
		// A field that several events show is listed with the first of them.
		const workflow = studio.createWorkflow({ ...parameters, ...event.parameters });
		studio.service.requests.length = 0;
		await expectValid(workflow.fetchTestEvent());
	});
});
