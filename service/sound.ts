const samplesPerSecond = 8_000;
const headerBytes = 44;

/** A note: frequency in hertz (0 is silence) and length in seconds. */
export type Note = [frequency: number, seconds: number];

/** A WAV file (mono, 16 bit) with the notes one after the other. */
export function createWav(notes: Note[]): Buffer {
	const counts = notes.map(([, seconds]) => Math.round(seconds * samplesPerSecond));
	const dataBytes = 2 * counts.reduce((sum, count) => sum + count, 0);
	const result = Buffer.alloc(headerBytes + dataBytes);
	writeHeader(result, dataBytes);
	let at = headerBytes;
	notes.forEach(([frequency], index) => {
		const count = counts[index]!;
		for (let sample = 0; sample < count; sample += 1) {
			// Each note swells and fades, or its ends would click.
			const loudness = Math.sin((Math.PI * sample) / count) * 0.4;
			const wave = Math.sin((2 * Math.PI * frequency * sample) / samplesPerSecond);
			at = result.writeInt16LE(Math.round(wave * loudness * 0x7fff), at);
		}
	});
	return result;
}

/** A WAV file that hums a script: one short note per word, at most 30 seconds. */
export function synthesizeSpeech(script: string): Buffer {
	const spoken = script.trim().split(/\s+/).slice(0, 100);
	return createWav(spoken.map((word) => [180 + (word.length % 7) * 20, 0.3]));
}

function writeHeader(target: Buffer, dataBytes: number): void {
	target.write('RIFF', 0, 'latin1');
	target.writeUInt32LE(headerBytes - 8 + dataBytes, 4);
	target.write('WAVEfmt ', 8, 'latin1');
	target.writeUInt32LE(16, 16);
	target.writeUInt16LE(1, 20);
	target.writeUInt16LE(1, 22);
	target.writeUInt32LE(samplesPerSecond, 24);
	target.writeUInt32LE(samplesPerSecond * 2, 28);
	target.writeUInt16LE(2, 32);
	target.writeUInt16LE(16, 34);
	target.write('data', 36, 'latin1');
	target.writeUInt32LE(dataBytes, 40);
}
