import { randomUUID } from 'node:crypto';

import { type Answer, requireSuccess, type AskClient } from '../client';
import {
	NotObserved,
	type Observation,
	type Observations,
	type Probe,
	type ProbeContext,
	type Reason,
} from '../observation';
import { describeAnswer, describeBody } from '../shape';

import { getAsset, listSomeAssets, readAssets } from './assets';

const NAME_PREFIX = 'n8n-nodes-avatar-studio ask';
/** The documented asset kinds; the last one tells whether the value is checked at all. */
const TYPES = ['Image', 'Video', 'Audio', 'Music', 'Assets', 'image', 'no-such-type'];
const OFFERED_TYPES = TYPES.slice(0, 4);
const MAX_FILE_BYTES = 1_000_000;
const PAGE_SIZE = 100;
const MAX_PAGES = 50;

/** Imports, reads, renames and deletes assets of its own. */
export const write: Probe = {
	title: 'a temporary asset',
	mode: 'write',
	points: ['requiredFields', 'patchableFields', 'importTypes', 'emptyResponses', 'order'],
	run: async (context) => {
		const fileUrl = context.fileUrl ?? (await findSmallFile(context.client));
		const imports = new Imports(context, fileUrl);
		const observations: Observations = {};
		try {
			await observe(context, imports, observations);
		} catch (error) {
			if (!(error instanceof NotObserved)) throw error;
			for (const id of write.points) observations[id] ??= { notObserved: error.message };
		} finally {
			await imports.cleanUp();
		}
		return observations;
	},
};

/** @throws NotObserved with what was observed until then in `observations` */
async function observe(
	{ client, signal }: ProbeContext,
	imports: Imports,
	observations: Observations,
): Promise<void> {
	const imported = requireSuccess(await imports.create({ type: 'Image' }));
	const id = readId(imported);
	if (id === undefined) throw new NotObserved(`${imported.label} responded without an ID`);
	observations.order = await observeOrder(client, id);
	const details = await getAsset(client, id);

	const rename = { id, body: { name: createName() } };
	const renamed = requireSuccess(await client.send('PATCH', '/v1/assets/{id}', rename));
	const patched = await client.send('PATCH', '/v1/assets/{id}', {
		id,
		body: { name: createName(), type: 'Audio' },
	});
	observations.patchableFields = {
		observed: `Besides the name, \`type\` is ${isAccepted(patched) ? 'accepted' : `refused with ${patched.status}`}.`,
		evidence: [renamed, patched].map((answer) => describeAnswer(answer)),
	};
	const deleted = requireSuccess(await imports.delete(id));
	const changes = [imported, details, renamed, deleted];
	observations.emptyResponses = {
		observed: changes.map((answer) => `${answer.label}: \`${describeBody(answer)}\`.`).join(' '),
		evidence: changes.map((answer) => describeAnswer(answer)),
		differs: [imported, details].some(({ json }) => !isRecord(json) || !('id' in json)),
	};

	if (signal.aborted) throw new NotObserved('interrupted');
	observations.importTypes = await observeTypes(imports, signal);
	observations.requiredFields = await observeRequired(imports, signal);
}

/** The assets of this run, which are deleted again whatever happens. */
class Imports {
	/** Names of imports that may have created an asset whose ID is not known. */
	private readonly names = new Set<string>();
	private readonly ids = new Set<string>();
	private readonly client: AskClient;

	constructor(
		private readonly context: ProbeContext,
		readonly fileUrl: string,
	) {
		this.client = context.client.uninterruptible();
	}

	/** Imports the file; a field that is undefined is not sent. */
	async create(fields: { name?: undefined; fileUrl?: undefined; type?: string }): Promise<Answer> {
		const name = createName();
		this.names.add(name);
		const body = { name, fileUrl: this.fileUrl, ...fields };
		const answer = await this.client.send('POST', '/v1/assets/import/url', { body });
		const id = readId(answer);
		if (id !== undefined) this.ids.add(id);
		if (id !== undefined || (answer.status >= 400 && answer.status < 500)) this.names.delete(name);
		return answer;
	}

	async delete(id: string): Promise<Answer> {
		const answer = await this.client.send('DELETE', '/v1/assets/{id}', { id });
		if (isAccepted(answer) || answer.status === 404) this.ids.delete(id);
		return answer;
	}

	/** Deletes what is left, also assets whose ID was never received. */
	async cleanUp(): Promise<void> {
		try {
			if (this.names.size > 0) for (const id of await this.findByName()) this.ids.add(id);
		} catch {
			// The known ones are still deleted.
		}
		for (const id of this.ids) {
			try {
				await this.delete(id);
			} catch {
				// Reported below.
			}
		}
		if (this.ids.size + this.names.size === 0) return;
		this.context.say(
			`Temporary assets may be left. Look in the studio application for names that begin with "${NAME_PREFIX}".`,
		);
	}

	private async findByName(): Promise<string[]> {
		const found: string[] = [];
		for (let Page = 0; Page < MAX_PAGES; Page += 1) {
			const query = { Page, PageSize: PAGE_SIZE };
			const answer = await this.client.send('GET', '/v1/assets', { query });
			const assets = answer.status === 200 ? readAssets(answer) : [];
			if (Page > 1 && assets.length === 0) break;
			for (const { id, name } of assets) {
				if (this.names.delete(String(name))) found.push(String(id));
			}
		}
		return found;
	}
}

/** @returns the link of a small asset, which the service can certainly read */
async function findSmallFile(client: AskClient): Promise<string> {
	for (const { id } of await listSomeAssets(client)) {
		const { url } = (await getAsset(client, id)).json as { url?: unknown };
		if (typeof url !== 'string') continue;
		const { headers, status } = await client.openLink(url);
		const size = Number(headers.get('content-length') ?? Infinity);
		if (status === 200 && size <= MAX_FILE_BYTES) return url;
	}
	throw new NotObserved('no asset is small enough to import it again: add --file-url');
}

/** Whether an asset that was just imported comes first; only then can a reader stop early. */
async function observeOrder(client: AskClient, id: string): Promise<Observation | Reason> {
	const listed = await listSomeAssets(client);
	if (listed.length === 1) return { notObserved: 'the account has too few assets' };
	const getIds = (list: { id?: unknown }[]) => list.map((asset) => asset.id).join();
	if (getIds(listed) !== getIds(await listSomeAssets(client))) {
		return { notObserved: 'the order changes from request to request' };
	}
	const position = listed.findIndex((asset) => asset.id === id) + 1;
	return {
		observed: `The newest asset ${position === 1 ? 'comes' : 'does not come'} first.`,
		evidence: [
			position === 0
				? `A new asset is not among the first ${listed.length}`
				: `A new asset is number ${position} of ${listed.length} on the first page`,
		],
	};
}

async function observeTypes(imports: Imports, signal: AbortSignal): Promise<Observation | Reason> {
	const results: [type: string, answer: Answer][] = [];
	for (const type of TYPES) {
		if (signal.aborted) return { notObserved: 'interrupted' };
		const answer = await imports.create({ type });
		const id = readId(answer);
		if (id !== undefined) await imports.delete(id);
		results.push([type, answer]);
	}
	const accepted = results.filter(([, answer]) => isAccepted(answer)).map(([type]) => type);
	const refused = TYPES.filter((type) => !accepted.includes(type));
	return {
		observed:
			refused.length === 0
				? 'Every value is accepted, even an invented one.'
				: `Accepted: ${accepted.join(', ') || 'none'}. Refused: ${refused.join(', ')}.`,
		evidence: results.map(([type, answer]) => `type ${type}: ${describeAnswer(answer)}`),
		differs: OFFERED_TYPES.some((type) => refused.includes(type)),
	};
}

async function observeRequired(
	imports: Imports,
	signal: AbortSignal,
): Promise<Observation | Reason> {
	const results: [field: string, answer: Answer][] = [];
	for (const field of ['name', 'fileUrl', 'type']) {
		if (signal.aborted) return { notObserved: 'interrupted' };
		const answer = await imports.create({ type: 'Image', [field]: undefined });
		const id = readId(answer);
		if (id !== undefined) await imports.delete(id);
		results.push([field, answer]);
	}
	const required = results.filter(([, answer]) => !isAccepted(answer)).map(([field]) => field);
	return {
		observed: `An import requires ${required.join(', ') || 'no field'}.`,
		evidence: results.map(([field, answer]) => `without ${field}: ${describeAnswer(answer)}`),
	};
}

/** A name by which an asset is found again if its ID is lost. */
function createName(): string {
	return `${NAME_PREFIX} ${randomUUID()}`;
}

function readId({ json }: Answer): string | undefined {
	return isRecord(json) && typeof json.id === 'string' ? json.id : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

function isAccepted({ status }: Answer): boolean {
	return status >= 200 && status < 300;
}
