import { parseUrl } from '../../nodes/AvatarStudio/transport/parseUrl';

test('A URL with letters of any script is a URL, the fifty-thousandth time too', () => {
	for (let times = 1; times <= 50_000; times++) {
		expect([times, parseUrl('https://münchen.example/größe.png')?.host]).toEqual([
			times,
			'xn--mnchen-3ya.example',
		]);
	}
});

test('What is not a URL is undefined, and a relative URL is resolved', () => {
	expect(parseUrl('münchen')).toBeUndefined();
	expect(parseUrl('/größe', 'https://example.com/a')?.pathname).toBe('/gr%C3%B6%C3%9Fe');
});
