import { randomUUID } from 'node:crypto';

import { encodePathSegment } from '../nodes/AvatarStudio/client/encodePathSegment';
import { getMediaKind } from '../nodes/AvatarStudio/execution/mediaTypes';
import { type as typeField } from '../nodes/AvatarStudio/resources/asset/assetFields';

import type { AskContext } from './askContext';
import { getAsset, listSomeAssets, readAssets } from './read';
import { getRecord, NotObserved, requireSuccess, type Service } from './service';
import { describeBody } from './shape';

const NAME_PREFIX = 'n8n-nodes-avatar-studio ask';
const OFFERED_TYPES = (typeField.options as { value: string }[])
	.map(({ value }) => value)
	.filter((value) => value !== 'custom' && value !== 'detect');
/** The last one tells whether the value is checked at all. */
const TYPES = [...OFFERED_TYPES, 'Assets', 'image', 'no-such-type'];

/** Imports, reads, renames and deletes assets of its own, which are deleted whatever happens. */
export async function write(context: AskContext): Promise<void> {
	const { service, observations, signal, say } = context;
	const fileUrl = context.fileUrl ?? (await findImage(service));
	const name = `${NAME_PREFIX} ${randomUUID()}`;
	const ids = new Set<unknown>();
	/** Whether an import may have created an asset whose ID is not known. */
	let isUncertain = false;
	const importFile = async (changes: object) => {
		if (signal.aborted) throw new NotObserved('interrupted');
		const body = { name, fileUrl, type: 'Image', ...changes };
		const request = service.send({ method: 'POST', url: '/v1/assets/import/url', body });
		const answer = await request.catch((error: unknown) => {
			isUncertain = true;
			throw error;
		});
		const { id } = answer.status < 300 ? getRecord(answer) : {};
		if (id !== undefined) ids.add(id);
		else if (answer.status < 300) isUncertain = true;
		return { answer, id };
	};
	const remove = async (id: unknown) => {
		const url = `/v1/assets/${encodePathSegment(id)}`;
		const answer = await service.send({ method: 'DELETE', url });
		if (answer.status < 300 || answer.status === 404) ids.delete(id);
		return answer;
	};
	const tryAll = async (variants: [label: string, changes: object][]) => {
		const results: [label: string, status: number][] = [];
		for (const [label, changes] of variants) {
			const { answer, id } = await importFile(changes);
			if (id !== undefined) await remove(id);
			results.push([label, answer.status]);
		}
		const list = results.map(([label, status]) => `${label} ${describeStatus(status)}`);
		const refused = results.filter(([, status]) => status >= 300).map(([label]) => label);
		return { refused, text: `${list.join(', ')}.` };
	};
	try {
		const { answer: imported, id } = await importFile({});
		requireSuccess(imported);
		const { records } = await readAssets(service);
		const position = records.findIndex((asset) => asset.id === id) + 1;
		const place = position > 0 ? `number ${position} of` : 'not among the first';
		observations.order = { observed: `A new asset is ${place} ${records.length}.` };
		const details = await getAsset(service, id);
		const change = { method: 'PATCH', url: `/v1/assets/${encodePathSegment(id)}` } as const;
		const renamed = requireSuccess(await service.send({ ...change, body: { name } }));
		const { status } = await service.send({ ...change, body: { name, type: 'Audio' } });
		observations.patchableFields = {
			observed: `Besides the name: type ${describeStatus(status)}.`,
		};
		const answers = [imported, details, renamed, requireSuccess(await remove(id))];
		observations.emptyResponses = {
			observed: answers.map((answer) => `${answer.label}: \`${describeBody(answer)}\`.`).join(' '),
			differs: [imported, details].some((answer) => getRecord(answer).id === undefined),
		};
		const types = await tryAll(TYPES.map((type) => [type, { type }]));
		observations.importTypes = {
			observed: types.text,
			differs: OFFERED_TYPES.some((type) => types.refused.includes(type)),
		};
		const fields = ['name', 'fileUrl', 'type'];
		const lacking = await tryAll(
			fields.map((field) => [`without ${field}`, { [field]: undefined }]),
		);
		observations.requiredFields = { observed: `An import: ${lacking.text}` };
	} finally {
		for (const id of ids) await remove(id).catch(() => undefined);
		if (ids.size > 0 || isUncertain) {
			say(`Temporary assets may be left. Their names begin with "${NAME_PREFIX}".`);
		}
	}
}

/** @returns the link of an image of the account, which the service can certainly read */
async function findImage(service: Service): Promise<string> {
	for (const { id } of await listSomeAssets(service)) {
		const { url, extension, name } = getRecord(await getAsset(service, id));
		if (getMediaKind(extension, name) === 'image') return url as string;
	}
	throw new NotObserved('no asset is an image that can be imported again: add --file-url');
}

function describeStatus(status: number): string {
	return status < 300 ? 'is accepted' : `is refused with ${status}`;
}
