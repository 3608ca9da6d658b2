import { rmSync } from 'node:fs';

/** Removes the files n8n wrote. */
export default function stop(): void {
	const folder = process.env.AVATAR_STUDIO_TESTS;
	if (folder) rmSync(folder, { recursive: true, force: true });
}
