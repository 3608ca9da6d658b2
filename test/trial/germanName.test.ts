import { createLocator, createSpeech } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

/** A Spanish voice with this name, and of the German voices only women. */
function setVoices(name: string) {
	const [first] = studio.service.voices;
	const spanish = {
		...first!,
		id: 'id of a voice',
		voiceId: 'au-es-AR-german',
		name,
		gender: 'male',
		language: 'Spanish (Argentina)',
		languageCode: 'es-AR',
		languageCodes: ['Spanish (Argentina)'],
		languageCodesJson: '["Spanish (Argentina)"]',
	} as typeof first;
	const others = studio.service.voices.filter(
		({ languageCode, gender }) => !languageCode.startsWith('de') || gender === 'female',
	);
	studio.service.voices = [...others, spanish!];
}

// A field that is dropped onto Voice, or an agent, comes in this mode.
test.each([
	['german', 'German'],
	['german', 'German, male'],
	['germán', 'German, male'],
])('A voice named "%s" does not speak German where %j is wanted, by ID', async (name, text) => {
	setVoices(name);
	await studio.run(createSpeech({ voiceId: createLocator(text) })).catch(() => undefined);
	const spoken = studio.service.speeches.map(({ voiceId }) => voiceId);
	expect(spoken).not.toContain('au-es-AR-german');
});
