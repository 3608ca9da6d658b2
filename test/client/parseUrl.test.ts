import { parseUrl } from '../../nodes/AvatarStudio/client/parseUrl';

test('A URL with non-ASCII letters is parsed, even the fifty-thousandth time', () => {
	const parse = () => parseUrl('https://münchen.example/größe.png')?.host;
	expect(new Set(Array.from({ length: 50_000 }, parse))).toEqual(
		new Set(['xn--mnchen-3ya.example']),
	);
});
