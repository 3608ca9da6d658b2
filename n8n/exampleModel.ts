import type { Conversation, Turn } from './scriptedModel';

const TRANSLATIONS: Record<string, string> = {
	German: 'Willkommen! Schön, dass Sie da sind.',
	Spanish: '¡Bienvenidos! Nos alegra que estén aquí.',
	French: 'Bienvenue ! Nous sommes heureux de vous voir.',
	Italian: 'Benvenuti! Siamo felici di avervi qui.',
};

const FIND_VOICES = { tool: 'Find_voices', args: { search: 'en-GB' } };

const WELCOME = 'Welcome! It is good to have you here.';

/** The tool n8n gives an agent that has an output parser. */
const FINAL_ANSWER = 'format_final_json_response';

/** Simulates the language model of the example workflows, so that they run without an account. */
export function improviseExample({ tools, answers, prompt }: Conversation): Turn {
	if (tools.includes('Create_video')) return createVideo(answers);
	if (tools.includes(FINAL_ANSWER)) return writeScript(answers);
	const language = /translate .* into (\w+)/i.exec(prompt)?.[1];
	return (language && TRANSLATIONS[language]) ?? WELCOME;
}

/** Finds a voice, creates a video with it and reports the result. */
function createVideo(answers: string[]): Turn {
	const [voices, video] = answers;
	if (voices === undefined) return FIND_VOICES;
	if (video === undefined) return { tool: 'Create_video', args: describeVideo(voices) };
	const { id, error } = parseItems(video)[0] ?? {};
	return error === undefined
		? `I created the video “Welcome” (${id}).`
		: `I could not create the video: ${error}`;
}

/** Finds a voice, and hands over title, script and voice. */
function writeScript([voices]: string[]): Turn {
	if (voices === undefined) return FIND_VOICES;
	return { tool: FINAL_ANSWER, args: { output: describeVideo(voices) } };
}

function describeVideo(voices: string) {
	const voice = parseItems(voices).find(({ gender }) => gender === 'male');
	return { title: 'Welcome', script: WELCOME, voice_id: voice?.voiceId };
}

function parseItems(answer: string): Record<string, string | undefined>[] {
	return JSON.parse(answer) as Record<string, string | undefined>[];
}
