import type { INodeExecutionData, IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';

import { Client } from '../client/client';
import { logForNode } from '../client/log';
import { isRateLimit } from '../client/refusal';
import { formatErrorText, formatMessage, toNodeError } from '../errors/nodeError';
import { toUserError, type UserError } from '../errors/userError';
import { readParameters } from '../execution/parameters';

import { ENTRIES, findEvent } from './events';
import { fetchItems } from './fetchItems';
import { getNodeKey, recall, remember } from './memory';
import { checkPollTimes, getDeadline } from './pollTime';
import { identify, type State } from './state';
import { fetchTestEvent } from './testEvent';

/**
 * The contexts that have been polled. n8n keeps one for all polls of an activation, and its durable
 * scheduler makes one, with the activation mode `update`, for each poll (n8n 2.41.1,
 * trigger-execution-context.factory.js).
 */
const polled = new WeakSet<IPollFunctions>();
interface RunningPoll {
	context: IPollFunctions;
	/** When its time is over, by the clock of `performance.now()`: see `getDeadline`. */
	deadline: number;
}

/** The poll that is running for each node, by its key. */
const running = new Map<string, RunningPoll>();
/** The keys of nodes whose rate limit the log has told; a poll that succeeds removes its key. */
const rateLimited = new Set<string>();

/**
 * One poll of the trigger. The rules that must not regress:
 * - The state is changed last: a poll that fails part way emits nothing and forgets nothing. n8n saves
 *   the state only when a workflow is activated and when a poll emits (n8n 2.41.1,
 *   trigger-execution-context.factory.js), so it may be older than the last poll.
 * - The first poll after the user activates the workflow, or changes its event, filters or credential,
 *   remembers what is listed and emits nothing. A restart is no activation.
 * - If what is sent of the credential changes, such as the key, the account is the same if its list shows a
 *   record seen before. If not, the poll only remembers what is listed.
 * - A record that cannot be read, or for which time ran out, stays unseen: the next poll tries again, in
 *   an order in which none keeps the others from their turn (`sortByTurn`). After a day, or at once if
 *   no poll will succeed, it is emitted with the reason instead.
 * - After a restart, n8n 2.41 tries the first poll five times and then gives up the trigger, so this node
 *   logs the error of that poll and returns nothing. It does the same with a rate limit, which is no fault of
 *   the workflow.
 *
 * @returns an item for each record that the event tells of, or null if there is none
 * @throws NodeApiError, or what n8n has thrown
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isFirstAfterRestart = isFirstPoll(context, ['init', 'leadershipChange']);
	// A user who fetches a test event or publishes the workflow reads the error.
	const isWatched = context.getMode() === 'manual' || isFirstPoll(context, ['activate']);
	try {
		return await pollOnce(context);
	} catch (thrown) {
		const error = toUserError(thrown);
		const isLeftToNextPoll =
			!isWatched && (isFirstAfterRestart || isRateLimit(error.details.status));
		if (isLeftToNextPoll) return leaveToNextPoll(context, error);
		// What is no error of this node, such as an invalid expression, is n8n's to show.
		throw error === thrown ? toNodeError(context.getNode(), error, formatMessage(error)) : thrown;
	} finally {
		polled.add(context);
	}
}

function isFirstPoll(context: IPollFunctions, modes: WorkflowActivateMode[]): boolean {
	return modes.includes(context.getActivationMode()) && !polled.has(context);
}

function leaveToNextPoll(context: IPollFunctions, error: UserError): null {
	const text = `${formatErrorText(error)} The next poll tries again.`;
	if (!isRateLimit(error.details.status)) {
		logForNode(context, 'warn', text);
		return null;
	}
	const key = getNodeKey(context);
	const isToldAlready = rateLimited.has(key);
	rateLimited.add(key);
	if (!isToldAlready) logForNode(context, 'info', text);
	return null;
}

async function pollOnce(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	checkPollTimes(context);
	const event = findEvent(context);
	const { values } = readParameters(context, event.fields, ENTRIES);
	const timeLimit = new AbortController();
	const client = Client.forPoll(context, timeLimit.signal);
	const source = event.createSource(client, values);
	if (context.getMode() === 'manual') return [[await fetchTestEvent(client, source)]];

	// If a poll is still running, this one is skipped or takes its place: see `mustFinish`.
	const key = getNodeKey(context);
	const other = running.get(key);
	if (other && mustFinish(other, context)) return null;
	const replacesOther = other !== undefined;
	const own = { context, deadline: getDeadline(context) };
	running.set(key, own);
	try {
		const saved = context.getWorkflowStaticData('node') as State;
		const memory = recall(key);
		// The first poll after an activation only remembers what is listed. If it takes the place of another
		// poll, what that was about to emit would be lost, so it counts as an ordinary one.
		const isActivation = isFirstPoll(context, ['activate']) && !replacesOther;
		const identity = await identify(client, event.value);
		const input = { context, client, timeLimit, source, identity, saved, memory, isActivation };
		const output = await fetchItems(input);
		const isReplaced = running.get(key) !== own;
		if (isReplaced) return null;
		Object.assign(saved, output.state);
		remember(key, output.memory);
		rateLimited.delete(key);
		return output.items.length > 0 ? [output.items] : null;
	} finally {
		if (running.get(key) === own) running.delete(key);
	}
}

/**
 * Whether a running poll keeps the next one from starting. With n8n's own scheduler, only one of the same
 * activation does: another is outdated. The durable scheduler makes a context for each poll, and begins polls
 * while others run. If each took the place of the one before, none would finish on a service that is slower than
 * the interval, so there a poll has its budget, after which n8n abandons it.
 */
function mustFinish({ context: other, deadline }: RunningPoll, context: IPollFunctions): boolean {
	const isDurable = context.getPollBudgetMs?.() !== undefined;
	return other === context || (isDurable && performance.now() < deadline);
}
