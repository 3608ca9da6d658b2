import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

import { devDependencies } from '../../package.json';

const WORKFLOW = join(__dirname, '..', '..', '.github', 'workflows', 'publish.yml');
const { jobs } = parse(readFileSync(WORKFLOW, 'utf8')) as {
	jobs: Record<
		string,
		{ needs?: string[]; steps: { name?: string; uses?: string; run?: string; with?: object }[] }
	>;
};

test('What is published is packed in a job of its own that installs only what building needs', () => {
	const { pack, publish } = jobs as Required<typeof jobs>;
	const commands = pack!.steps.flatMap(({ run }) => run ?? []).join('\n');
	const installed = /IN\(([^)]*)\)/.exec(commands)![1]!.match(/[^", ]+/g)!;

	expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(installed));
	expect(installed).toEqual(['@types/node', 'gulp', 'n8n-workflow', 'typescript']);
	expect(commands.match(/^np[mx].*/gm)).toEqual([
		'npm install --ignore-scripts',
		'npx --no gulp build',
		'npm pack --ignore-scripts',
	]);
	expect(publish!.needs).toEqual(['test', 'pack']);
	expect(publish!.steps.flatMap(({ run }) => run ?? [])).toHaveLength(2);
});

test('The token of the first publication is for the registry that npm is configured for', () => {
	const HOME = mkdtempSync(join(tmpdir(), 'home-'));
	const step = jobs.publish!.steps.find(({ name }) => name === 'Let npm use the token')!;
	const env = { PATH: process.env.PATH, HOME, npm_config_registry: 'https://npm.example.com/eu' };
	execFileSync('bash', ['-ec', step.run!], { env });
	expect(readFileSync(join(HOME, '.npmrc'), 'utf8')).toBe(
		'//npm.example.com/eu:_authToken=${NODE_AUTH_TOKEN}\n',
	);
});

test('No job takes packages from a cache that another job could have filled', () => {
	expect(JSON.stringify(jobs)).not.toContain('"cache"');
});
