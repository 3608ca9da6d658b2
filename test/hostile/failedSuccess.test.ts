import { getError, getErrorText } from '../support/engine/engine';
import {
	createVideo,
	deleteAsset,
	getAllAssets,
	getAssets,
	getVoices,
	SOME_ID,
} from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

describe('G10: A response of 200 that says it failed', () => {
	it.each([
		[{ success: false, message: 'Script is too long' }, ': Script is too long'],
		[{ code: 4001, data: null, error: { message: 'No credit left' } }, ': No credit left'],
		[{ error: 'quota exceeded' }, ': quota exceeded'],
		[{ error: { code: 4001 } }, ': {"error":{"code":4001}}'],
		[{ error: ['Not enough credits'] }, ': Not enough credits'],
		[{ Success: false, Result: null, Message: 'No voice' }, ': No voice'],
		[{ status: 'fail', data: { script: 'Too long' } }, ': script: Too long'],
		[{ data: null, errors: [{ message: 'No', path: ['videos', 0] }] }, ': videos.0: No'],
		[{ errorCode: 'E7', errorMessage: 'No credit' }, ': No credit'],
		[{ error: true, why: 'No credit left' }, ': why: No credit left'],
	])("is an error in the service's words, and a creation may exist: %j", async (body, words) => {
		studio.service.injectFault({ body });
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const error = await getError(studio.run(createVideo(), { settings }));

		expect(error.message).toBe(`The service responded that the request failed (200)${words}`);
		expect(error.context?.data).toEqual(body);
		expect(getErrorText(error)).toContain('may exist');
		expect(studio.getRoutes()).toEqual(['POST /v1/talkingphotos']);
	});

	it.each([
		['an asset that is deleted', deleteAsset(SOME_ID)],
		['a list without its entries', getAssets({ limit: 1 })],
	])('is an error for %s as well', async (_what, parameters) => {
		studio.service.injectFault({ body: { success: false, message: 'No', assets: null } });
		const text = await studio.getFailure(parameters);
		expect(text).toContain('The service responded that the request failed (200): No');
		expect(text).not.toContain('may exist');
	});

	it.each([
		{ success: false, message: 'Database is busy', assets: [] },
		{ error: 'Database is busy', assets: [] },
	])('is no end of a list, though it contains one without entries: %j', async (body) => {
		studio.service.addAssets(150);
		studio.service.injectFault({ body, when: ({ query }) => query.Page === '2' });
		const text = await studio.getFailure(getAllAssets());
		expect(text).toContain('The service responded that the request failed (200)');
		expect(text).toContain('Database is busy');
	});

	it('is read if it contains the list that was asked for', async () => {
		const body = { success: false, error: 'Partial', assets: [{ id: 'a' }], voices: [{ id: 'v' }] };
		studio.service.injectFault({ body });
		expect((await studio.run(getAssets({ limit: 1 }))).json).toEqual([{ id: 'a' }]);
		expect((await studio.run(getVoices({ simplify: false }))).json).toEqual([{ id: 'v' }]);
	});

	it('is none if a record has a status of its own', async () => {
		studio.service.injectFault({ body: { id: '1', status: 'error' } });
		expect((await studio.run(createVideo())).json).toEqual([
			{ id: '1', status: 'error', finished: false },
		]);
	});

	const empty = [null, '', ' ', {}, [], { code: 0, message: '' }, false];

	it.each(empty)('is none if its error is %j', async (error) => {
		const body = { id: '1', success: true, error };
		studio.service.injectFault({ body });
		expect((await studio.run(createVideo())).json).toEqual([body]);
	});
});
