import { createUuid } from './uuids';

/** An avatar as the service lists it. */
export interface Avatar {
	id: string;
	name: string;
	/** A photo of it; without one, the files host draws a picture. */
	photoUrl?: string;
}

/** The first avatar, which the examples use. */
export const SAMPLE_AVATAR_ID = '3f2b6c1e-8d47-4a59-9c20-7e1f5b6a4d83';

const FIRST = 'Amara';
const OTHERS =
	'Anna Bruno Chloe Daniel Emma Felix Grace Hiro Isabel Jonas Keiko Liam Maria Noah Olivia Priya Rafael Sofia Tomás Yusuf';

const SKIN_TONES = ['#f2d3bd', '#d9a982', '#a8714b', '#70452f'];
const HAIR_COLORS = ['#2b211c', '#6b4226', '#c08a3e', '#8d8d92', '#93371f'];
const CLOTHES = ['#35608f', '#7d3c5d', '#3d7a52', '#b5652b', '#4b4a78', '#5c6670'];

export function createAvatars(): Avatar[] {
	const others = OTHERS.split(' ').map((name) => ({ id: createUuid(`avatar ${name}`), name }));
	return [{ id: SAMPLE_AVATAR_ID, name: FIRST }, ...others];
}

/** Draws head and shoulders as SVG, in colors that follow from the ID. */
export function drawAvatar({ id }: Avatar): Buffer {
	const number = Number.parseInt(id.slice(0, 8), 16);
	const skin = SKIN_TONES[number % SKIN_TONES.length]!;
	const hair = HAIR_COLORS[number % HAIR_COLORS.length]!;
	const clothes = CLOTHES[number % CLOTHES.length]!;
	return Buffer.from(
		`<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">
<rect width="96" height="96" fill="#e8ecef"/>
<ellipse cx="48" cy="98" rx="36" ry="28" fill="${clothes}"/>
<rect x="41" y="58" width="14" height="18" fill="${skin}"/>
<ellipse cx="48" cy="38" rx="23" ry="26" fill="${hair}"/>
<ellipse cx="48" cy="44" rx="18" ry="22" fill="${skin}"/>
<circle cx="41" cy="42" r="2"/>
<circle cx="55" cy="42" r="2"/>
<path d="M41 54q7 5 14 0" fill="none" stroke="#000" stroke-width="2"/>
</svg>
`,
	);
}
