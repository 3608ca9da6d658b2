import type { Client } from '../client/client';
import { formatSeconds, listNodes, log, REPORT_AFTER_MS, REPORT_EVERY_MS } from '../client/log';

/** A wait as the log tells of it. */
interface LoggedWait {
	client: Client;
	/** When it ends at the latest, in milliseconds since 1970. */
	endsAt: number;
}

/** The waits of all executions for what one service has not finished yet. */
class WaitLog {
	private readonly waits = new Set<LoggedWait>();
	/** Since when there has been a wait without a break: set when one begins and there is no other. */
	private since = 0;
	/** When the log last told of the waits; undefined if it has not. */
	private reportedAt?: number;

	/** @param host of the service */
	constructor(private readonly host: string) {}

	add(wait: LoggedWait): void {
		if (this.waits.size === 0) this.since = Date.now();
		this.waits.add(wait);
	}

	/** Says what is waited for: `REPORT_AFTER_MS` after the beginning, then every `REPORT_EVERY_MS`. */
	tell({ client }: LoggedWait): void {
		const now = Date.now();
		const { since, reportedAt } = this;
		const isDue =
			reportedAt === undefined
				? now - since >= REPORT_AFTER_MS
				: now - reportedAt >= REPORT_EVERY_MS;
		if (!isDue) return;
		this.reportedAt = now;
		const waits = [...this.waits];
		const end = waits.reduce((latest, { endsAt }) => Math.max(latest, endsAt), now);
		const nodes = listNodes(waits.map((each) => each.client.context));
		const fact = `${this.host} has been working on what was created for ${formatSeconds(now - since)}`;
		const waiting = `Items that wait for it, until ${new Date(end).toISOString()} at most: ${waits.length}, of ${nodes}.`;
		log(client.context, 'info', `${fact}. ${waiting}`);
	}

	/** Removes a wait, and says that there is none any more if the log has told of any. */
	remove(wait: LoggedWait): void {
		this.waits.delete(wait);
		if (this.waits.size > 0) return;
		const { reportedAt } = this;
		this.reportedAt = undefined;
		if (reportedAt === undefined) return;
		const duration = formatSeconds(Date.now() - this.since);
		log(wait.client.context, 'info', `${this.host}: no item waits any more, after ${duration}.`);
	}
}

export type { WaitLog };

/** The log of each host. There are few hosts, and each log takes about 100 bytes. */
const logs = new Map<string, WaitLog>();

/** @returns the log of all waits for the service of a client */
export async function getWaitLog(client: Client): Promise<WaitLog> {
	const { host } = new URL(await client.getBaseUrl());
	const waitLog = logs.get(host) ?? new WaitLog(host);
	logs.set(host, waitLog);
	return waitLog;
}
