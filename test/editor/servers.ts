/** What the suite starts once for all its files. */
export interface EditorServers {
	/** Address of the real n8n. */
	url: string;
	/** Opens the editor, logged in. */
	loginLink: string;
	/** The owner's session; n8n allows too few logins for one per file. */
	cookies: string[];
	/** The browser's profile: after the first file, the editor is loaded from its cache. */
	profile: string;
}

const VARIABLE = 'AVATAR_STUDIO_EDITOR_SERVERS';

/** Passes what was started to the test files, which run in separate contexts. */
export function publishServers(getServers: EditorServers): void {
	process.env[VARIABLE] = JSON.stringify(getServers);
}

/** Returns what was started for this suite. */
export function getServers(): EditorServers {
	return JSON.parse(process.env[VARIABLE]!) as EditorServers;
}
