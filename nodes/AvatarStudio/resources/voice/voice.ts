import type { IDataObject } from 'n8n-workflow';

import type { ListEndpoint } from '../../client/list';
import type { Choice } from '../../execution/field';
import type { RecordType } from '../recordType';
import { filterTexts, toText } from '../texts';

export const voiceList: ListEndpoint = { url: '/v1/voices', property: 'voices' };

/** Voices, for names and messages. */
export const voiceType: RecordType = {
	label: 'Voice',
	list: voiceList,
	describe: describeVoice,
	listOtherIds: ({ id, providerVoiceId }) => [id, providerVoiceId],
};

/** "ryan" is shown as "Ryan", in lists and in simplified data alike. */
function formatVoiceName(name: unknown): string | undefined {
	const [text] = filterTexts(name);
	return text?.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
}

/** @returns the ID, and "Ryan · English (United Kingdom) · male · neural", as far as known */
export function describeVoice(voice: IDataObject): Choice {
	const { name, voiceId, language, languageCode, gender, isNeural } = voice;
	const title = formatVoiceName(name) ?? voiceId;
	const [languageName] = filterTexts(language, languageCode);
	const label = filterTexts(title, languageName, gender, isNeural === true && 'neural');
	return { id: toText(voiceId), label: label.join(' · ') };
}

/**
 * @returns a voice as an item has it: with the fields that users choose by (`service/openapi.yaml`,
 *   `Voice`), or as it came if Simplify is off
 */
export function formatVoice(voice: IDataObject, { simplify }: IDataObject): IDataObject {
	if (simplify === false) return voice;
	return {
		voiceId: voice.voiceId,
		name: formatVoiceName(voice.name) ?? voice.name,
		gender: voice.gender,
		language: voice.language,
		languageCode: voice.languageCode,
		languageCodes: voice.languageCodes,
		provider: voice.provider,
		isNeural: voice.isNeural,
		audioSampleUrl: voice.audioSampleUrl,
	};
}
