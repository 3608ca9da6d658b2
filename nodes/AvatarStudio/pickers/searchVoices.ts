import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { voiceList } from '../resources/voice/voiceList';
import { Gate, LITTLE_PATIENCE_MS } from '../transport/gate';
import { listRecords } from '../transport/list';

import { found, picked, texts } from './picked';

/**
 * The voices to pick from. What the service's own search does is not shown (specification,
 * section 4.2, note 2), so it is asked, and the text is looked for here as well; a voice either
 * finds is offered.
 *
 * @param search what the person typed into the list
 */
export async function searchVoices(
	this: ILoadOptionsFunctions,
	search?: string,
): Promise<INodeListSearchResult> {
	const [all, answered] = await picked(this, async () => {
		const gate = new Gate(LITTLE_PATIENCE_MS);
		return await Promise.all([
			listRecords(this, gate, voiceList),
			search ? listRecords(this, gate, voiceList, { qs: { query: search } }) : [],
		]);
	});
	const byText = all.filter((voice) => found(textOf(voice), search ?? ''));
	// A service that leaves the search aside answers with every voice; that says nothing.
	const byService = answered.length < all.length ? answered : [];
	const offered = new Map([...byText, ...byService].map((voice) => [voice.voiceId, voice]));
	offered.delete(undefined);
	return {
		results: byName(
			[...offered].map(([voiceId, voice]) => ({
				name: labelOf(voice),
				value: voiceId as string,
			})),
		),
	};
}

/** "Ryan · English (United Kingdom) · male · neural", of what is there. */
function labelOf(voice: IDataObject): string {
	const { name, voiceId, language, languageCode, gender } = voice;
	const [called = ''] = texts(name, voiceId);
	const capital = called.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
	const spoken = texts(language, languageCode).slice(0, 1);
	return texts(capital, spoken, gender, neural(voice)).join(' · ');
}

/** The languages of the voices there are, for the filter. */
export async function getVoiceLanguages(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await distinct(this, ({ language, languageCode }) => [
		texts(language, languageCode)[0],
		texts(languageCode)[0],
	]);
}

/** The providers of the voices there are, for the filter. */
export async function getVoiceProviders(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await distinct(this, ({ provider }) => [texts(provider)[0], texts(provider)[0]]);
}

/** @param optionOf makes name and value of a voice; one that lacks either offers nothing */
async function distinct(
	context: ILoadOptionsFunctions,
	optionOf: (voice: IDataObject) => [name?: string, value?: string],
): Promise<INodePropertyOptions[]> {
	const voices = await picked(
		context,
		async () => await listRecords(context, new Gate(LITTLE_PATIENCE_MS), voiceList),
	);
	const names = new Map<string, string>();
	for (const voice of voices) {
		const [name, value] = optionOf(voice);
		if (name && value) names.set(value, name);
	}
	return byName([...names].map(([value, name]) => ({ name, value })));
}

function byName<T extends { name: string }>(options: T[]): T[] {
	return options.sort((one, other) => one.name.localeCompare(other.name));
}

function textOf(voice: IDataObject): string {
	const { name, language, languageCode, languageCodes, gender, provider, voiceId } = voice;
	const said = [name, language, languageCode, languageCodes, gender, provider, voiceId];
	return texts(...said, neural(voice)).join(' ');
}

function neural({ isNeural }: IDataObject): string {
	return isNeural === true ? 'neural' : '';
}
