/**
 * What the host of a file means by a status. It is not the service, by whose statuses `statuses.ts` goes
 * for everything else, so a 401 is not about the API key, and a 404 not about an ID.
 */
interface FileStatusRule {
	/** What to do next. */
	hint: string;
	/** Whether the host does not hand out the file: not yet, not to everybody, or because there is none. */
	isWithheld: boolean;
	/** Whether that stays so, however long the file is waited for. */
	isFinal: boolean;
}

const NO_RESPONSE: FileStatusRule = {
	hint: 'It may not be ready yet. If this keeps happening, check that n8n can reach that host.',
	isWithheld: false,
	isFinal: false,
};
const NO_FILE: FileStatusRule = {
	...NO_RESPONSE,
	hint: 'It may not be ready yet. If this keeps happening, open the link in a browser to see what is there.',
};
const FILE_STATUS_RULES: Record<number, FileStatusRule> = {
	401: {
		hint: 'The link wants a login. Use one that works without, or an HTTP Request node that has a credential for that host.',
		isWithheld: true,
		isFinal: true,
	},
	403: {
		...NO_FILE,
		hint: 'That host does not hand it out: its link may have expired, or the file is not there yet. If this keeps happening, open the link in a browser to see what it says.',
		isWithheld: true,
	},
	404: { ...NO_FILE, isWithheld: true },
};

/** @param status of the response, undefined if there was none */
export function getFileStatusRule(status?: number): FileStatusRule {
	return status === undefined ? NO_RESPONSE : (FILE_STATUS_RULES[status] ?? NO_FILE);
}
