import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { isUpdate } from '../docs/update';

import { describeInterface, findBreaks } from './interface';

const FILE = join(__dirname, 'interface.json');

const readSaved = () => JSON.parse(readFileSync(FILE, 'utf8')) as string[];

const present = describeInterface();

test('Nothing that saved workflows refer to is missing or changed', () => {
	expect(findBreaks(readSaved(), present)).toEqual([]);
});

test('interface.json holds all that workflows can refer to (npm run docs adds what is new)', () => {
	if (isUpdate) {
		const all = [...new Set([...readSaved(), ...present])].sort();
		writeFileSync(FILE, `${JSON.stringify(all, null, '\t')}\n`);
	}
	const saved = readSaved();
	expect(present.filter((line) => !saved.includes(line))).toEqual([]);
});

test.each([
	['is added', ['limit: number 50', 'limit = new'], []],
	['is changed', ['limit: number 60'], ['is gone. There is: "limit: number 60".']],
	['is missing', [], ['is gone. There is: nothing.']],
])('What %s is compared with what saved workflows hold', (_what, now, words) => {
	const breaks = words.map((it): unknown => expect.stringContaining(`"limit: number 50" ${it}`));
	expect(findBreaks(['limit: number 50'], now)).toEqual(breaks);
});
