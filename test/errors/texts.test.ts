import { createSpeech, createVideo, ITEM_SCRIPT, VOICE } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

const scripts: Record<string, string> = {
	emoji: 'Hi 👋🏽 👨‍👩‍👧‍👦 🏳️‍🌈 🎬',
	'right-to-left text': 'مرحبا بكم في الاستوديو — שלום \u200Fעולם\u200E',
	'Chinese, Japanese and Korean': '你好,世界。こんにちは 안녕하세요 𠮷野家',
	'line breaks and tabs': 'One\nTwo\r\nThree\tFour\u2028Five',
	'quotes and backslashes': '"Hi", she said — \'ok\' \\n `${x}` \\u0041 </script>',
	'braces that are not an expression': 'Dear {{ name }}, {{ x }}',
	HTML: '<p>Tom &amp; Jerry</p>',
	'a percent sign and a plus': '100% + 20%2B = ?&=#',
	'text that looks like a number': '00042',
	'text with whitespace around it': '  Welcome. \n',
};

test.each(Object.entries(scripts))(
	'A script of %s is sent unchanged, a title in one line without what nobody sees around it',
	async (_what, script) => {
		await studio.run(createSpeech({ script }));
		await studio.run(createVideo({ script: ITEM_SCRIPT, videoTitle: ITEM_SCRIPT }), {
			items: [{ json: { script } }],
		});
		const [speech, video] = studio.service.requests;
		expect(speech!.rawBody).toBe(JSON.stringify({ script, voiceId: VOICE }));
		const videoTitle = script.replace(/^\s+|[\s\u200e]+$/g, '').replace(/\p{Cc}+/gu, ' ');
		expect(video!.body).toMatchObject({ script, videoTitle });
	},
);
