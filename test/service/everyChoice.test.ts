import { events } from '../support/events';
import { runOperation } from '../support/files';
import { operations } from '../support/operations';
import { SOME_ID } from '../support/parameters';
import { useTrigger } from '../support/trigger';
import { listChoices } from '../support/values';

const studio = useTrigger();

const ofOperations = operations.flatMap((operation) =>
	listChoices(operation).map((choice) => ({ ...choice, label: operation.label, operation })),
);
const ofEvents = events.flatMap((event) =>
	listChoices(event).map((choice) => ({ ...choice, label: event.label, event })),
);

/** `useStudio` fails a test whose requests violate the contract; here, something must be sent. */
async function expectValid(run: Promise<unknown>): Promise<void> {
	const error = await run.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (studio.apiRequests.length === 0) expect(error).toBeUndefined();
}

test.each(ofOperations)(
	'$label with $name sends only what service/openapi.yaml knows',
	async ({ operation, getParameters }) => {
		const parameters = await getParameters(studio.credentials);
		studio.service.requests.length = 0;
		// The stand-in would download the example of a File URL.
		studio.service.injectFault({ when: { method: 'POST' }, body: { id: SOME_ID } });
		await expectValid(runOperation(studio, { ...operation, parameters }));
	},
);

test.each(ofEvents)(
	'$label with $name sends only what service/openapi.yaml knows',
	async ({ event, getParameters }) => {
		const parameters = await getParameters(studio.credentials);
		// A field that several events show is listed with the first of them.
		const workflow = studio.createWorkflow({ ...parameters, ...event.parameters });
		studio.service.requests.length = 0;
		await expectValid(workflow.fetchTestEvent());
	},
);
