import type { Conversation, Turn } from './languageModel';

const WELCOME = 'Welcome! It is good to have you here.';

const TRANSLATIONS: Record<string, string> = {
	German: 'Willkommen! Schön, dass Sie da sind.',
	Spanish: '¡Bienvenidos! Nos alegra que estén aquí.',
	French: 'Bienvenue ! Nous sommes heureux de vous voir.',
	Italian: 'Benvenuti! Siamo felici di avervi qui.',
};

/** Simulates the language model of the example workflows, so that they run without an account. */
export function respondToExample({ tools, answers, prompt }: Conversation): Turn {
	if (tools.length > 0) return makeVideo(answers);
	const language = /translate .* into (\w+)/i.exec(prompt)?.[1];
	return (language && TRANSLATIONS[language]) ?? WELCOME;
}

/** Finds a voice, creates a video with it, and gets the video. */
function makeVideo([voices, created, finished]: string[]): Turn {
	if (voices === undefined) return { tool: 'Find_voices', args: { search: 'en-GB' } };
	if (finished !== undefined) return `The service answered: ${finished}`;
	if (created !== undefined) return getVideo(created);
	const found = JSON.parse(voices) as { voiceId?: string; gender?: string }[];
	const voice = found.find(({ gender }) => gender === 'male');
	const args = { title: 'Welcome', script: WELCOME, voice_id: voice?.voiceId };
	return { tool: 'Create_video', args };
}

/** Gets the video that was created; what is no video, such as an error, is passed on. */
function getVideo(created: string): Turn {
	const id = /"id":"([^"]+)"/.exec(created)?.[1];
	if (id === undefined) return `The service answered: ${created}`;
	return { tool: 'Get_video', args: { video_id: id } };
}
