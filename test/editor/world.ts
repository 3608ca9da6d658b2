/** What the suite started once, for all its files. */
export interface World {
	/** Address of the real n8n. */
	url: string;
	/** The owner's session; n8n refuses a login for every file. */
	cookies: string[];
	/** The browser's profile: after the first file, the editor comes out of its cache. */
	profile: string;
}

const VARIABLE = 'AVATAR_STUDIO_EDITOR_WORLD';

/** Tells the test files what was started; they run in contexts of their own. */
export function publishWorld(world: World): void {
	process.env[VARIABLE] = JSON.stringify(world);
}

/** What was started for this suite. */
export function world(): World {
	return JSON.parse(process.env[VARIABLE]!) as World;
}
