import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Asset } from './asset';
import { drawBackdrop, drawPortrait } from './picture';
import { createWav } from './sound';
import { createUuid } from './uuids';

/** A short real video, for assets and for created videos alike. */
export const greetingVideo = readFileSync(join(__dirname, 'assets', 'greeting.mp4'));

const melody = [262, 330, 392, 523, 392, 330, 262, 0];

const stock: Asset[] = [
	{ name: 'Avatar portrait', type: 'Image', extension: '.png', content: drawPortrait() },
	{ name: 'Calm backdrop', type: 'Image', extension: '.svg', content: drawBackdrop() },
	{ name: 'Greeting', type: 'Video', extension: '.mp4', content: greetingVideo },
	{
		name: 'Chime',
		type: 'Audio',
		extension: '.wav',
		content: createWav([
			[880, 0.25],
			[1175, 0.6],
		]),
	},
	{
		name: 'Short melody',
		type: 'Music',
		extension: '.wav',
		content: createWav(melody.map((frequency) => [frequency, 0.25])),
	},
].map((asset) => ({ id: createUuid(`stock ${asset.name}`), ...asset }));

/** The assets the service starts with: small real files made by this project. */
export function createStockAssets(): Asset[] {
	return stock.map((asset) => ({ ...asset }));
}

/** Many assets with made-up files; `first` is the number of the first one. */
export function createNumberedAssets(count: number, first: number): Asset[] {
	return Array.from({ length: count }, (_, index) => {
		const number = first + index;
		return {
			id: createUuid(`numbered asset ${number}`),
			name: `Asset ${String(number).padStart(5, '0')}`,
			type: 'Image',
			extension: '.png',
			size: 1_024,
		};
	});
}
