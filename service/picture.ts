import { crc32, deflateSync } from 'node:zlib';

type Colour = [red: number, green: number, blue: number];

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG with the head and shoulders of an avatar. */
export function drawPortrait(size = 256): Buffer {
	const rows = Buffer.alloc(size * (1 + size * 3));
	for (let y = 0; y < size; y += 1) {
		const row = y * (1 + size * 3) + 1;
		for (let x = 0; x < size; x += 1) {
			rows.set(colourAt((x + 0.5) / size, (y + 0.5) / size), row + x * 3);
		}
	}
	const header = Buffer.alloc(13);
	header.writeUInt32BE(size, 0);
	header.writeUInt32BE(size, 4);
	// Eight bits per colour, red, green and blue.
	header.set([8, 2, 0, 0, 0], 8);
	return Buffer.concat([
		signature,
		chunk('IHDR', header),
		chunk('IDAT', deflateSync(rows)),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

/** An SVG with a calm backdrop for a video. */
export function drawBackdrop(): Buffer {
	return Buffer.from(
		`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" viewBox="0 0 640 360">
	<rect width="640" height="360" fill="#dceaf7"/>
	<circle cx="520" cy="90" r="48" fill="#ffd98a"/>
	<path d="M0 260 Q160 180 320 250 T640 230 V360 H0Z" fill="#8fb8a8"/>
	<path d="M0 310 Q200 250 400 300 T640 290 V360 H0Z" fill="#5d8f82"/>
</svg>
`,
	);
}

function colourAt(x: number, y: number): Colour {
	if (inEllipse(x, y, 0.43, 0.44, 0.02, 0.025) || inEllipse(x, y, 0.57, 0.44, 0.02, 0.025)) {
		return [40, 40, 60];
	}
	if (y > 0.52 && inEllipse(x, y, 0.5, 0.52, 0.07, 0.045)) return [176, 74, 80];
	if (inEllipse(x, y, 0.5, 0.45, 0.16, 0.2)) return [242, 203, 170];
	if (y < 0.45 && inEllipse(x, y, 0.5, 0.4, 0.2, 0.22)) return [92, 62, 48];
	if (inEllipse(x, y, 0.5, 0.68, 0.06, 0.12)) return [226, 184, 150];
	if (inEllipse(x, y, 0.5, 1, 0.36, 0.28)) return [58, 96, 160];
	return [206, 222 + Math.round(20 * y), 238];
}

function inEllipse(x: number, y: number, cx: number, cy: number, rx: number, ry: number): boolean {
	return ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1;
}

function chunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const result = Buffer.alloc(body.length + 8);
	result.writeUInt32BE(data.length, 0);
	body.copy(result, 4);
	result.writeUInt32BE(crc32(body), body.length + 4);
	return result;
}
