import { byHand, useEditor } from './editor';
import { screenshot } from './screenshots';

const editor = useEditor();

const UNKNOWN_ID = '00000000-0000-5000-8000-000000000000';
const AVATAR_ID = '3f2b6c1e-8d47-4a59-9c20-7e1f5b6a4d83';

beforeAll(async () => {
	await editor.openPanel(byHand, editor.node());
});

describe('Assets', () => {
	it('I list them and see a row for each, or JSON', async () => {
		const { panel } = editor;
		await panel.operation('Asset', 'Get Many');
		await panel.succeed();
		await panel.show('table');
		await panel.row('Short melody').waitFor();
		expect(await panel.headings()).toEqual(['id', 'name', 'url', 'originalFileUrl', 'extension']);
		expect(await panel.output.getByTestId('ndv-items-count').innerText()).toBe('5 items');
		await panel.show('json');
		await panel.output.getByText('"Calm backdrop"').waitFor();
	});

	it('I download one that I select from the list, and see its file', async () => {
		const { panel } = editor;
		await panel.operation('Asset', 'Download');
		await panel.pick('assetId', 'Avatar portrait');
		await panel.succeed();
		await panel.show('binary');
		await panel.output.getByText('Avatar portrait.png').waitFor();
		const file = await panel.output.getByTestId('ndv-data-container').innerText();
		expect(file).toContain('image/png');
	});
});

describe('Voices', () => {
	it('I list those of a language that I select from the available ones', async () => {
		const { panel } = editor;
		await panel.operation('Voice', 'Get Many');
		await panel.loading(panel.add('Language Name or ID'));
		await panel.choose('languageCode', 'English \\(United Kingdom\\)');
		await panel.succeed();
		await panel.show('table');
		await panel.row('au-en-GB-ryan').waitFor();
		expect(await panel.output.getByTestId('ndv-items-count').innerText()).toBe('5 items');
	});

	it('I register the key of a provider, which is masked as I type', async () => {
		const { panel, service } = editor;
		await panel.operation('Voice', 'Add API Key');
		await panel.fill('providerName', 'Aurora');
		await panel.fill('serviceName', 'AuroraSpeech');
		await panel.fill('encryptedKey', 'c2VjcmV0');
		const key = panel.field('encryptedKey').locator('input');
		expect(await key.getAttribute('type')).toBe('password');
		await panel.succeed();
		await panel.row('true').waitFor();
		expect(await panel.headings()).toEqual(['success']);
		expect(service.providerKeys).toHaveLength(1);
	});
});

describe('Videos', () => {
	it('I create a video of an avatar that speaks my script', async () => {
		const { page, panel, service } = editor;
		await panel.operation('Video', 'Create');
		await panel.fill('videoTitle', 'Spring collection');
		await panel.fill(
			'script',
			'Welcome to our spring collection! Everything in it is made to last.',
		);
		await panel.fill('avatarId', AVATAR_ID);
		await panel.pick('voiceId', 'Ryan');
		await panel.add('Full Frame');
		await panel.field('fullFrame').locator('.el-switch').click();
		await panel.succeed();
		await panel.show('schema');
		await panel.output.getByText('Spring collection').waitFor();
		expect(service.videos).toMatchObject([
			{
				videoTitle: 'Spring collection',
				avatarId: AVATAR_ID,
				voiceId: 'au-en-GB-ryan',
				fullFrame: true,
			},
		]);
		// All fields at once.
		await page.setViewportSize({ width: 1440, height: 930 });
		await screenshot(page, 'video-create', { of: panel.fieldsAndOutput });
		await page.setViewportSize({ width: 1440, height: 900 });
	});
});

describe('When something is wrong', () => {
	const readErrorMessage = async (words: string) => {
		const shown = editor.panel.output.getByTestId('node-error-message').filter({ hasText: words });
		await shown.waitFor();
		return await shown.innerText();
	};
	const readErrorDescription = async () =>
		await editor.panel.output.getByTestId('node-error-description').innerText();

	it('the message names an ID that does not exist, and says what to do', async () => {
		const { page, panel } = editor;
		await panel.operation('Asset', 'Get');
		await panel.enterId('assetId', UNKNOWN_ID);
		await panel.run();
		expect(await readErrorMessage('The service found nothing under this ID or address (404)')).toBe(
			`The service found nothing under this ID or address (404): There is no asset ${UNKNOWN_ID}`,
		);
		expect(await readErrorDescription()).toContain(
			'Check the ID, if there is one: the record may have been deleted.',
		);
		await screenshot(page, 'error', { of: panel.fieldsAndOutput, height: 560 });
	});

	it('a value that the service would refuse is reported before anything is sent', async () => {
		const { panel, service } = editor;
		await panel.operation('Video', 'Create');
		await panel.fill('videoTitle', 'Spring collection');
		await panel.fill('script', 'Welcome!');
		await panel.fill('avatarId', 'my avatar');
		await panel.enterId('voiceId', 'au-en-GB-ryan');
		await panel.run();
		expect(await readErrorMessage('Avatar ID')).toMatch(
			/^Avatar ID must be an ID without spaces and slashes/,
		);
		expect(await readErrorDescription()).toContain(
			'Copy the avatar ID from the studio application.',
		);
		expect(service.requests).toEqual([]);
	});
});
