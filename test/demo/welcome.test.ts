import { formatWelcome } from '../../demo/welcome';
import { readExamples } from '../../n8n/examples';
import { SAMPLE_AVATAR_ID } from '../../service/service';

const demo = {
	seconds: 12,
	login: 'http://127.0.0.1:5678/#email=demo%40example.com&password=A1-secret',
	owner: { email: 'demo@example.com', password: 'A1-secret' },
	n8n: 'http://127.0.0.1:5678',
	service: {
		url: 'http://127.0.0.1:5680',
		apiKey: 'demo-key',
		fastUrl: 'http://127.0.0.1:5680/api',
		fastApiKey: 'fast-demo-key',
	},
	folder: '/srv/demo',
	workflows: readExamples(),
};
const welcome = formatWelcome(demo);

test('The first URL I see is a form that creates a video', () => {
	expect(/http:\S+/.exec(welcome)?.[0]).toBe('http://127.0.0.1:5678/form/first-video');
});

test.each([
	['Base URL', 'http://127.0.0.1:5680'],
	['API Key', 'demo-key'],
	['Fast', 'http://127.0.0.1:5680/api'],
	['Avatar ID', SAMPLE_AVATAR_ID],
])('I see the %s to practise with', (label, value) => {
	expect(new RegExp(`${label} +(\\S+)`).exec(welcome)?.[1]).toBe(value);
});

test('I see the key of the fast branch, unless the stand-in has none', () => {
	expect(welcome).toContain('key fast-demo-key');
	expect(formatWelcome({ ...demo, isAsSpecified: true })).not.toMatch(/fast/i);
});

test('I see the URL of every example', () => {
	const addresses = readExamples().map(({ id }) => `http://127.0.0.1:5678/workflow/${id}`);
	expect(addresses.filter((address) => !welcome.includes(address))).toEqual([]);
});
