'use strict';
const path = require('node:path');

/** Prints what passed on each version of n8n, as the table of README's Compatibility. */
module.exports = class FiguresReporter {
	onRunComplete(_contexts, { testResults }) {
		/** @type {Map<string, Record<string, { passed: number, failed: number }>>} */
		const rows = new Map();
		const columns = [...new Set(testResults.map(({ displayName }) => displayName.name))].sort();
		for (const { displayName, testFilePath, testResults: tests } of testResults) {
			const name = toTitle(path.basename(testFilePath, '.spec.ts'));
			const row = rows.get(name) ?? {};
			rows.set(name, row);
			row[displayName.name] = {
				passed: tests.filter(({ status }) => status === 'passed').length,
				failed: tests.filter(({ status }) => status === 'failed').length,
			};
		}
		const lines = [...rows]
			.sort()
			.map(([name, row]) => [name, ...columns.map((column) => describe(row[column]))]);
		const table = [['', ...columns], ['---', ...columns.map(() => '---')], ...lines];
		process.stdout.write(`\n${table.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`);
	}
};

/** "agentTools" becomes "Agent tools". */
function toTitle(name) {
	const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	return words[0].toUpperCase() + words.slice(1);
}

function describe(cell) {
	if (!cell) return '';
	return cell.failed === 0 ? `${cell.passed} passed` : `**${cell.failed} failed**`;
}
