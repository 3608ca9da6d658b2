import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
	'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** Finds the browser: the one the variable CHROMIUM names, or an installed one. */
export function findBrowser(): string {
	const { CHROMIUM, PATH = '' } = process.env;
	const inPath = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
	const candidates = CHROMIUM ? [CHROMIUM] : [...inPath, ...PLACES];
	const found = candidates.find((file) => existsSync(file));
	if (found) return found;
	throw new Error(
		'The editor tests need Chromium or Chrome. Install one, for example with "sudo apt-get ' +
			'install chromium", or set the environment variable CHROMIUM to the path of one.',
	);
}
