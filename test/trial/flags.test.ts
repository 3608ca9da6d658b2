import { createLocator, deleteAsset } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

// The letters of these flags are invisible characters (UTS 51, emoji tag sequences).
const FLAG = (region: string) =>
	`\u{1f3f4}${[...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`;

test('Another flag is another name', async () => {
	const id = '00000000-0000-4000-8000-000000000001';
	studio.service.assets = [{ id, name: `Banner ${FLAG('gbsct')}`, extension: '.png' }];
	const assetId = createLocator(`Banner ${FLAG('gbeng')}`, 'name');
	await studio.run(deleteAsset('', { assetId })).catch(() => undefined);
	expect(studio.service.assets).toHaveLength(1);
});
