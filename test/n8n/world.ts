/** What the suite started once, for all its files. */
export interface World {
	/** Address of the real n8n. */
	url: string;
	/** Everything that n8n printed since it was started last. */
	logFile: string;
	/** POST to /stop and /start below it ends n8n and starts it again. */
	switchUrl: string;
}

const VARIABLE = 'AVATAR_STUDIO_N8N_WORLD';

/** Tells the test files what was started; they run in contexts of their own. */
export function publishWorld(world: World): void {
	process.env[VARIABLE] = JSON.stringify(world);
}

/** What was started for this suite. */
export function world(): World {
	return JSON.parse(process.env[VARIABLE]!) as World;
}
