import { formatSeconds, log } from '../client/log';
import { getFileStatusRule } from '../errors/fileStatuses';
import { shorten } from '../errors/formatText';
import { RequestError } from '../errors/userError';

import type { Item } from './nodeRun';
import type { Wait } from './wait';

/** A link, and what came of trying it. */
interface Reached<T> {
	url: string;
	result: T;
}

/**
 * Tries links to one file until one leads to it. Only what the network or the host says may change with
 * time: what is wrong with a link itself, or with n8n's storage, is an error at once.
 *
 * @param links the first one is wanted. If its host withholds the file, which it may do for a moment, each
 *   later round tries that link again, and then the others
 * @throws RequestError that says why the first one does not lead to a file, when the wait is over
 */
export async function reachFile<T>(
	item: Item,
	links: string[],
	wait: Wait,
	read: (url: string) => Promise<T>,
): Promise<Reached<T>> {
	const [first, ...others] = links;
	let failure: RequestError | undefined;
	for (let tries = 1; ; tries++) {
		const { isWithheld } = getFileStatusRule(failure?.details.status);
		for (const url of isWithheld ? links : [first!]) {
			const reached = await read(url).then(
				(result) => ({ url, result }),
				(error: unknown) => asFailure(error),
			);
			if (!(reached instanceof RequestError)) return reached;
			if (url === first) failure = reached;
		}
		// The others are tried in the second round, even if there is no time left.
		const needsSecondRound = tries === 1 && others.length > 0;
		const mayComeLater = !isFinal(failure!) && wait.nextMs > 0;
		const isTriedAgain = needsSecondRound || mayComeLater;
		logFailure(item, first!, failure!, tries, isTriedAgain ? wait.nextMs : undefined);
		if (!isTriedAgain) throw failure!;
		await wait.untilNextLook();
	}
}

/** A host that wants a login keeps wanting it, and a busy one was waited for as long as Wait If Busy allows. */
function isFinal({ details: { status, isGivenUp } }: RequestError): boolean {
	return getFileStatusRule(status).isFinal || (status !== undefined && isGivenUp === true);
}

/** @returns what the network or the host says; throws any other error */
function asFailure(error: unknown): RequestError {
	if (error instanceof RequestError) return error;
	throw error;
}

function logFailure(
	{ client }: Item,
	url: string,
	{ details }: RequestError,
	tries: number,
	nextMs?: number,
): void {
	const host = shorten(new URL(url).host);
	const reason = details.status ?? details.code;
	const next = nextMs === undefined ? 'gave up' : `next try in ${formatSeconds(nextMs)}`;
	log(
		client.context,
		'debug',
		`The file at ${host} is not there (${reason}), try ${tries}: ${next}`,
	);
}
