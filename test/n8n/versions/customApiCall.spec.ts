import { startService, type Service } from '../../../service/service';
import { useN8n } from '../runningN8n';

const n8n = useN8n();
let otherService: Service;

beforeAll(async () => {
	otherService = await startService({ apiKey: 'of-somebody-else' });
});

beforeEach(() => otherService.reset());

afterAll(async () => await otherService.close());

describe('Custom API Call', () => {
	it('sends the key, and fields that this node does not have, to the service', async () => {
		n8n.service.configure({ extraBodyFields: ['background'] });
		const body = { videoTitle: 'Greeting', script: 'Hello!', background: 'blue' };
		const { items } = await n8n.runChain(
			n8n.httpRequest(`${n8n.service.url}/v1/talkingphotos`, {
				method: 'POST',
				sendBody: true,
				specifyBody: 'json',
				jsonBody: JSON.stringify(body),
			}),
		);

		expect(n8n.service.videos).toMatchObject([{ background: 'blue' }]);
		expect(items['HTTP Request']).toMatchObject([{ id: n8n.service.videos[0]!.id }]);
		expect(n8n.service.requests).toMatchObject([{ headers: { 'x-api-key': n8n.service.apiKey } }]);
	});

	it('sends nothing to another host and says why', async () => {
		const { error } = await n8n.runChain(n8n.httpRequest(`${otherService.url}/v1/voices`));

		expect(error).toContain(
			`The API key is for ${n8n.service.url} only and was not sent to ${otherService.url}.`,
		);
		expect(otherService.requests).toEqual([]);
	});
});
