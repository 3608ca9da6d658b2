'use strict';
const { existsSync, mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

/** Prints at the end the figures that tests noted (production/figures.ts), as docs/production.md. */
module.exports = class FiguresReporter {
	constructor() {
		this.folder = mkdtempSync(path.join(tmpdir(), 'avatar-studio-figures-'));
		this.file = path.join(this.folder, 'figures.jsonl');
		process.env.AVATAR_STUDIO_FIGURES = this.file;
	}

	onRunComplete() {
		const noted = existsSync(this.file) ? readFileSync(this.file, 'utf8').trim().split('\n') : [];
		const rows = noted.map((line) => `| ${JSON.parse(line).join(' | ')} |`);
		if (rows.length > 0) {
			process.stdout.write(`\n| Situation | Result |\n| --- | --- |\n${rows.join('\n')}\n`);
		}
		rmSync(this.folder, { recursive: true, force: true });
	}
};
