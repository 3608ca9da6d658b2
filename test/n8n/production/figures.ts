import { appendFileSync } from 'node:fs';

/** Notes a figure for the table at the end of the suite (figuresReporter.js). */
export function recordFigure(name: string, value: string | number): void {
	const file = process.env.AVATAR_STUDIO_FIGURES;
	if (file) appendFileSync(file, `${JSON.stringify([name, value])}\n`);
}

/** `N8N_LOAD=0.1 npm run test:n8n` runs a tenth of the full size. */
export const isReduced = process.env.N8N_LOAD !== undefined;

/** @returns the part of the full size to run */
export function scale(count: number): number {
	return Math.ceil(count * Number(process.env.N8N_LOAD ?? 1));
}
