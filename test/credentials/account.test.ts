import { AvatarStudioApi } from '../../credentials/AvatarStudioApi.credentials';
import { identifyAccount } from '../../nodes/AvatarStudio/client/credential';
import { getAsset, SOME_ID } from '../support/parameters';
import { sendJson, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();

const { properties } = new AvatarStudioApi();
/** What the service must be seen to get, so that the test cannot pass by comparing nothing. */
const CERTAINLY_SENT = ['baseUrl', 'apiKey'];

test.each(properties)(
	'Two credentials with another $displayName are two accounts if the service gets it',
	async ({ name }) => {
		const received: unknown[] = [];
		const host = await startRawHost(({ url, rawHeaders }, response) => {
			received.push([url, rawHeaders]);
			sendJson(response, { id: SOME_ID });
		});
		const defaults = properties.map((field) => [field.name, field.default]);
		const one = { ...(Object.fromEntries(defaults) as object), ...host.credentials };
		const value = one[name as keyof typeof one];
		const other = { ...one, [name]: `${value}/other` };
		for (const credentials of [one, other]) await studio.run(getAsset(SOME_ID), { credentials });
		const [first, second] = received.map((request) => JSON.stringify(request));

		expect(received).toHaveLength(2);
		const isSent = first !== second;
		expect(identifyAccount(other) !== identifyAccount(one)).toBe(isSent);
		expect(isSent || !CERTAINLY_SENT.includes(name)).toBe(true);
	},
);

test('The service knows each field of the credential that it gets', async () => {
	const values = properties.map(({ name, default: preset }) => [
		name,
		preset === '' ? 'value' : preset,
	]);
	const all = Object.fromEntries(values) as object;
	const { id } = studio.service.assets[0]!;
	const { json } = await studio.run(getAsset(id), {
		credentials: { ...all, ...studio.credentials },
	});
	expect(json).toMatchObject([{ id }]);
});
