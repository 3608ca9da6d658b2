import { createSpeech, createVideo } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test.each([
	[202, '', '{"location":"/v1/jobs/77"}'],
	[201, { status: 'queued' }, '{"location":"/v1/jobs/77","status":"queued"}'],
])('The location of what was created is kept (%i)', async (status, body, expected) => {
	studio.service.injectFault({ status, headers: { location: '/v1/jobs/77' }, body });
	const { json } = await studio.run(createVideo());

	expect(JSON.stringify(json)).toBe(`[${expected}]`);
});

test.each([
	['{"id":1234567890123456789}', { id: '1234567890123456789' }],
	['{"id":-9007199254740993}', { id: '-9007199254740993' }],
	['1234567890123456789', { data: '1234567890123456789' }],
	['{"id":9007199254740991}', { id: 9007199254740991 }],
	['{"n":0.12345678901234568}', { n: 0.12345678901234568 }],
	['{"t":"\\"a\\\\\\": 1234567890123456789, "}', { t: '"a\\": 1234567890123456789, ' }],
])('A number that JavaScript would round is kept as text: %s', async (body, expected) => {
	studio.service.injectFault({ headers: { 'content-type': 'application/json' }, body });
	expect((await studio.run(createVideo())).json).toEqual([expected]);
});

test('A Location of the service is no link to a file', async () => {
	const location = '/v1/speech/42';
	const headers = { location: `${studio.service.url}${location}` };
	studio.service.injectFault({ status: 201, headers, body: {} });
	const { json } = await studio.run(createSpeech({ options: { downloadFile: true } }));
	const fileError = expect.stringContaining('no link to audio') as string;
	expect(json).toMatchObject([{ location, fileError }]);
});
