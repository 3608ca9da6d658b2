// Makes docs/screenshots/first-video.gif out of the pictures that test/editor/firstVideo.spec.ts took.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import gifenc from 'gifenc';
import { PNG } from 'pngjs';

const { applyPalette, GIFEncoder, quantize } = gifenc;

const FRAMES = join(import.meta.dirname, 'frames');
const TARGET = join(import.meta.dirname, '../../../docs/screenshots/first-video.gif');
const COLORS = 128;
const STILL_MS = 2_000;
const PLAYING_MS = 250;

const frames = readdirSync(FRAMES)
	.sort()
	.map((file) => PNG.sync.read(readFileSync(join(FRAMES, file))));
const [canvas, panel, form, ...rest] = frames;
const playing = rest.slice(0, -1);

const gif = GIFEncoder();
const write = ({ data, width, height }, delay) => {
	const palette = quantize(data, COLORS);
	gif.writeFrame(applyPalette(data, palette), width, height, { palette, delay });
};
write(canvas, STILL_MS);
write(panel, STILL_MS);
write(form, STILL_MS);
for (const frame of [...playing, ...playing]) write(frame, PLAYING_MS);
write(rest.at(-1), STILL_MS);
gif.finish();
writeFileSync(TARGET, gif.bytes());
