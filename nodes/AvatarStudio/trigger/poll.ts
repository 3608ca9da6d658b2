import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { formatErrorText, formatMessage, toNodeError } from '../errors/nodeError';
import { toUserError, UserError } from '../errors/userError';

import { createSource, type RecordSource } from './sources';
import {
	getFingerprint,
	identify,
	mergeFingerprints,
	parseFingerprints,
	type State,
} from './state';

/** Used if n8n sets no budget; its shortest polling interval is a minute. */
const POLL_BUDGET_MS = 60_000;

const START = 'Only what is added from now on starts the workflow.';
const CHANGED = `The trigger is new, or its name, event, filters or credential changed. ${START}`;
const OTHER_ACCOUNT = `With the changed credential, nothing seen before is listed, so it counts as another account's. Publish the workflow again, so that n8n saves this. ${START}`;

/** n8n keeps one context for all polls of an activation, except for its durable polls. */
const polled = new WeakSet<IPollFunctions>();
const running = new Map<string, IPollFunctions>();

/**
 * One poll of the trigger. The rules that must not regress:
 * - The state is changed last: a poll that fails part way emits nothing and forgets nothing. n8n saves
 *   it when a workflow is activated and when a poll emits, so a poll may start from any earlier one.
 * - The first poll after the user activates the workflow, or changes its event, filters or credential,
 *   remembers what is listed and emits nothing. A restart is no activation.
 * - Another key or Base URL is another account's only if the list shows no record seen before.
 * - A record that cannot be read, or for which time ran out, stays unseen: the next poll tries again.
 * - n8n 2.41 gives up for good a trigger whose first poll after a restart fails five times, within 15
 *   seconds: that poll is left to the next one, as is each that was refused for too many requests.
 *
 * @returns an item for each new record that matches the filters, or null if there is none
 * @throws NodeApiError
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isFirstAfterRestart = isFirstPoll(context, /init|leader/);
	const isWatched = context.getMode() === 'manual' || isFirstPoll(context, /activate/);
	return await pollOnce(context)
		.catch((thrown: unknown) => {
			const error = toUserError(thrown);
			const isLeft = !isWatched && (isFirstAfterRestart || error.details.code === 'rateLimited');
			if (!isLeft && error !== thrown) throw thrown;
			if (!isLeft) throw toNodeError(context.getNode(), error, formatMessage(error));
			warn(context, `${formatErrorText(error)} The next poll tries again.`);
			return null;
		})
		.finally(() => polled.add(context));
}

function isFirstPoll(context: IPollFunctions, activationMode: RegExp): boolean {
	return activationMode.test(context.getActivationMode()) && !polled.has(context);
}

/** While a poll runs, one of the same activation is skipped; one of a later activation replaces it. */
async function pollOnce(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const source = createSource(context);
	if (context.getMode() === 'manual') return [[await fetchTestEvent(source)]];

	// Nodes of one workflow may share an ID (n8n issue 36340).
	const { id, name } = context.getNode();
	const key = JSON.stringify([context.getWorkflow().id, id, name]);
	const earlier = running.get(key);
	if (earlier === context) return null;
	running.set(key, context);
	try {
		const state = context.getWorkflowStaticData('node') as State;
		const isActivation = isFirstPoll(context, /activate/) && earlier === undefined;
		const { items, ...changes } = await fetchNewItems(context, source, state, isActivation);
		if (running.get(key) !== context) return null;
		Object.assign(state, changes);
		return items.length > 0 ? [items] : null;
	} finally {
		if (running.get(key) === context) running.delete(key);
	}
}

async function fetchNewItems(
	context: IPollFunctions,
	source: RecordSource,
	before: State,
	isActivation: boolean,
): Promise<State & { items: INodeExecutionData[] }> {
	const deadline = performance.now() + (context.getPollBudgetMs?.() ?? POLL_BUDGET_MS);
	const { watched, account } = await identify(context, source);
	const isChanged = before.watched !== watched;
	const isStart = isChanged || isActivation;
	const seen = parseFingerprints(before);
	const listed = new Set<string>();
	const unseen = new Map<string, IDataObject>();
	const stopsAtSeen = source.newestFirst && !isStart && !before.hasUnread;
	for await (const page of source.fetchPages()) {
		const { size } = unseen;
		for (const record of page) {
			const fingerprint = getFingerprint(record, source.idField);
			listed.add(fingerprint);
			if (!isStart && !seen.has(fingerprint)) unseen.set(fingerprint, record);
		}
		if (stopsAtSeen && unseen.size === size) break;
	}

	const isOtherAccount = before.account !== account && [...listed].every((it) => !seen.has(it));
	if (isOtherAccount && !isStart) {
		unseen.clear();
		warn(context, OTHER_ACCOUNT);
	} else if (isChanged && !isActivation) warn(context, CHANGED);

	const oldestFirst = <T>(values: Iterable<T>) =>
		source.newestFirst ? [...values].reverse() : [...values];
	const { items, unread } = await buildItems(context, source, oldestFirst(unseen), deadline);
	for (const fingerprint of unread) listed.delete(fingerprint);
	const fingerprints = mergeFingerprints(seen, oldestFirst(listed));
	return { items, watched, account, fingerprints, hasUnread: unread.size > 0 };
}

/** Builds items until time runs out, at least one; `unread` are the records left to the next poll. */
async function buildItems(
	context: IPollFunctions,
	{ recordsName, toItem }: RecordSource,
	records: [fingerprint: string, record: IDataObject][],
	deadline: number,
) {
	const items: INodeExecutionData[] = [];
	const unread = new Set(records.map(([fingerprint]) => fingerprint));
	for (const [fingerprint, record] of records) {
		if (items.length > 0 && performance.now() >= deadline) break;
		const addItem = (item?: INodeExecutionData) => {
			unread.delete(fingerprint);
			if (item) items.push(item);
		};
		await toItem(record).then(addItem, (error: unknown) => {
			if (!(error instanceof UserError) || error.details.code === 'storage') throw error;
			const what = `One of the new ${recordsName} could not be read and will be tried again.`;
			warn(context, `${what} ${formatErrorText(error)}`);
		});
	}
	return { items, unread };
}

/** Fetches the first record that matches the filters, for the user to build the workflow with. */
async function fetchTestEvent({ fetchPages, recordsName, toItem }: RecordSource) {
	for await (const records of fetchPages()) {
		for (const record of records) {
			const item = await toItem(record);
			if (item) return item;
		}
	}
	throw new UserError(
		`There are no ${recordsName} that match`,
		'Add one in the studio application or change the filters, then fetch a test event again.',
	);
}

function warn(context: IPollFunctions, text: string): void {
	context.logger.warn(`${context.getNode().name}: ${text}`);
}
