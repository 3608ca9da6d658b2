import type { Conversation, Turn } from './scriptedModel';

const TRANSLATIONS: Record<string, string> = {
	German: 'Willkommen! Schön, dass Sie da sind.',
	Spanish: '¡Bienvenidos! Nos alegra que estén aquí.',
	French: 'Bienvenue ! Nous sommes heureux de vous voir.',
	Italian: 'Benvenuti! Siamo felici di avervi qui.',
};

const WELCOME = 'Welcome! It is good to have you here.';

/** Plays the language model of the example workflows, so that they run without an account. */
export function improviseExample({ tools, answers, prompt }: Conversation): Turn {
	if (tools.includes('Create_video')) return createVideo(answers);
	const language = /translate .* into (\w+)/i.exec(prompt)?.[1];
	return (language && TRANSLATIONS[language]) ?? WELCOME;
}

/** Finds a voice, creates a video with it and says so. */
function createVideo(answers: string[]): Turn {
	const [voices, video] = answers;
	if (voices === undefined) return { tool: 'Find_voices', args: { search: 'en-GB' } };
	if (video === undefined) {
		const voice = parseItems(voices).find(({ gender }) => gender === 'male');
		const args = { title: 'Welcome', script: WELCOME, voice_id: voice?.voiceId };
		return { tool: 'Create_video', args };
	}
	const { id, error } = parseItems(video)[0] ?? {};
	return error === undefined
		? `I created the video “Welcome” (${id}).`
		: `I could not create the video: ${error}`;
}

function parseItems(answer: string): Record<string, string | undefined>[] {
	return JSON.parse(answer) as Record<string, string | undefined>[];
}
