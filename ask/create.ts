import { setTimeout as delay } from 'node:timers/promises';

import { fetchRecords } from '../nodes/AvatarStudio/client/list';
import { toItems } from '../nodes/AvatarStudio/client/response/items';
import { chooseLink, findLinks } from '../nodes/AvatarStudio/execution/requestItemsWithFile';
import { getAssetKind } from '../nodes/AvatarStudio/resources/asset/asset';
import { voiceList } from '../nodes/AvatarStudio/resources/voice/voice';

import type { AskContext, Observation } from './askContext';
import type { PointId } from './openPoints';
import { readAssets, tryLink } from './read';
import { NotObserved, type Answer, type Service } from './service';
import { describeBody } from './shape';

/** How often to look for the created files among the assets: rendering takes minutes. */
const LOOKS = 12;
/** Anything else is not shown. */
const WORD = /^[a-z][a-z _-]{0,19}$/i;

/** Creates one speech and one draft video, which may cost credits. */
export async function create(context: AskContext): Promise<void> {
	const { service, observations, avatarId, signal } = context;
	const [voice] = await fetchRecords(service.reader, voiceList, { qs: { query: '' } });
	if (typeof voice?.voiceId !== 'string') throw new NotObserved('the service lists no voices');
	const before = await readAssets(service);
	const speech = { voiceId: voice.voiceId, script: 'Hello.' };
	const video = { ...speech, videoTitle: 'n8n-nodes-avatar-studio ask', draft: true, avatarId };
	const creations = [
		['Speech', 'audio', '/v1/speech', speech, 'application/*+json'],
		['Video', 'video', '/v1/talkingphotos', video, 'application/json'],
	] as const;
	for (const [name, kind, url, body, type] of creations) {
		if (signal.aborted) throw new NotObserved('interrupted');
		// What the first one shows may have cost credits: it is reported whatever becomes of the other.
		const add = (id: PointId, text: string, differs = false) => {
			const earlier: Observation = { observed: '', ...observations[id] };
			const observed = `${earlier.observed} ${name}: ${text}.`.trim();
			observations[id] = { observed, differs: differs || earlier.differs === true };
		};
		const headers = { 'content-type': type };
		const answer = await service.send({ method: 'POST', url, body, headers });
		if (answer.status >= 300) {
			add('creations', `refused with ${answer.status}`);
			continue;
		}
		add('creations', `\`${describeBody(answer)}\``);
		add('creationStatus', describeStatus(answer));
		add('linkField', ...(await describeLinks(service, answer, kind, body)));
	}
	if (!observations.linkField) throw new NotObserved('nothing was created');
	observations.createdAssets = await findCreatedAssets(context, before);
}

/** @returns what the node makes of the links in a response, and whether it chooses none of several */
async function describeLinks(
	service: Service,
	answer: Answer,
	kind: 'audio' | 'video',
	sent: object,
): Promise<[text: string, differs: boolean]> {
	const texts: string[] = [];
	let differs = false;
	const toFileItem = async () => await Promise.resolve({ json: {} });
	const items = await toItems(answer.response!, toFileItem, true);
	for (const links of items.map(({ json }) => findLinks(json, sent))) {
		if (links.size === 0) continue;
		let choice = 'none is chosen';
		try {
			const link = chooseLink(links, kind);
			const number = [...links.values()].indexOf(link) + 1;
			choice = `number ${number} is chosen and leads to ${await tryLink(service, link, { kind })}`;
		} catch {
			differs = true;
		}
		texts.push(`of ${links.size} links, ${choice}`);
	}
	return [texts.join('; ') || 'no link', differs];
}

function describeStatus({ body }: Answer): string {
	const states = Object.entries([body].flat()[0] ?? {})
		.filter(([field]) => /^(status|state)$/i.test(field))
		.map(([field, value]) => (WORD.test(String(value)) ? `${field} "${value}"` : field));
	return states.join(', ') || 'no status';
}

async function findCreatedAssets(
	{ service, signal, say, pollMs }: AskContext,
	before: Awaited<ReturnType<typeof readAssets>>,
) {
	const known = new Set(before.records.map(({ id }) => id));
	for (let look = 1; ; look += 1) {
		const { records, error } = await readAssets(service);
		const kinds = records.filter(({ id }) => !known.has(id)).map(getAssetKind);
		if (look === LOOKS || (kinds.includes('audio') && kinds.includes('video'))) {
			const list = kinds.map((kind) => kind ?? 'of unknown kind').sort();
			if (list.length > 0) return { observed: `New assets: ${list.join(', ')}.` };
			if (!before.isCut && !error) return { observed: 'There is no new asset.' };
			return { notObserved: 'the list of assets cannot be read to its end' };
		}
		say('    Waiting for the created files to appear among the assets.');
		await delay(pollMs, undefined, { signal });
	}
}
