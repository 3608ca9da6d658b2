'use strict';
const { existsSync } = require('node:fs');
const path = require('node:path');

const { UserError } = require('./userError');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const PLACES = [
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
	'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
	'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * Finds a browser for the editor tests: the one the variable CHROMIUM names, or an installed one.
 *
 * @returns {string} path of the program
 */
function findBrowser() {
	const given = process.env.CHROMIUM;
	const inPath = (process.env.PATH ?? '')
		.split(path.delimiter)
		.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
	const found = (given ? [given] : [...inPath, ...PLACES]).find((file) => existsSync(file));
	if (found) return found;
	throw new UserError(
		given
			? `CHROMIUM names ${given}, which does not exist.`
			: 'The editor tests need Chromium or Chrome, and this machine has neither.',
		[
			'Install one, then start again:',
			'  Debian, Ubuntu   sudo apt-get install chromium',
			'  Fedora           sudo dnf install chromium',
			'  macOS            brew install --cask google-chrome',
			'  Windows          winget install Google.Chrome',
			'Or name one: set the environment variable CHROMIUM to its path.',
		].join('\n'),
	);
}

module.exports = { findBrowser };
