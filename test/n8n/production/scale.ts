/** `N8N_LOAD=0.1 npm run test:n8n` runs a tenth of the full size. */
export const isReduced = process.env.N8N_LOAD !== undefined;

/** @returns the part of the full size to run */
export function scale(count: number): number {
	return Math.ceil(count * Number(process.env.N8N_LOAD ?? 1));
}
