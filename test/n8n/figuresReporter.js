'use strict';
const { existsSync, mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

/**
 * Prints at the end what passed on each version of n8n, and the figures that tests noted
 * (production/figures.ts).
 */
module.exports = class FiguresReporter {
	constructor() {
		this.folder = mkdtempSync(path.join(tmpdir(), 'avatar-studio-figures-'));
		process.env.AVATAR_STUDIO_FIGURES = path.join(this.folder, 'figures.jsonl');
	}

	/**
	 * @param {unknown} _contexts
	 * @param {import('@jest/reporters').AggregatedResult} results
	 */
	onRunComplete(_contexts, { testResults }) {
		/** @type {Set<string>} */
		const versions = new Set();
		/** @type {Map<string, Record<string, { passed: number, failed: number }>>} */
		const rows = new Map();
		for (const { displayName, testFilePath, numPassingTests, numFailingTests } of testResults) {
			const [, engine, version] = /^(engine of )?(n8n .*)$/.exec(displayName?.name ?? '') ?? [];
			if (!version) continue;
			versions.add(version);
			const title = engine ? 'Engine tests' : toTitle(path.basename(testFilePath, '.spec.ts'));
			const row = rows.get(title) ?? {};
			rows.set(title, row);
			const cell = (row[version] ??= { passed: 0, failed: 0 });
			cell.passed += numPassingTests;
			cell.failed += numFailingTests;
		}
		const columns = [...versions].sort();
		printTable(
			['', ...columns],
			[...rows]
				.sort()
				.map(([title, row]) => [title, ...columns.map((column) => toText(row[column]))]),
		);
		const file = process.env.AVATAR_STUDIO_FIGURES ?? '';
		const figures = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
		printTable(
			['In production', ''],
			figures.map((line) => JSON.parse(line)),
		);
		rmSync(this.folder, { recursive: true, force: true });
	}
};

/** @param {{ passed: number, failed: number }} [counts] of one cell */
function toText(counts) {
	if (!counts) return '';
	return counts.failed ? `**${counts.failed} failed**` : `${counts.passed} passed`;
}

/** @param {string} name "agentTools" becomes "Agent tools" */
function toTitle(name) {
	const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * @param {string[]} head
 * @param {string[][]} rows
 */
function printTable(head, rows) {
	if (rows.length === 0) return;
	const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
	process.stdout.write(`\n${lines.join('\n')}\n`);
}
