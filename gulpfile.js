const { src, dest, parallel, series, watch } = require('gulp');
const { spawn } = require('node:child_process');
const { readFile, readdir, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const prettier = require('prettier');

const ASSETS = [
	'nodes/**/*.{png,svg}',
	'credentials/**/*.{png,svg}',
	'nodes/**/*.node.json',
	'nodes/**/__schema__/**/*.json',
];

const clean = () => rm('dist', { recursive: true, force: true });

// encoding: false keeps PNG bytes intact; gulp 5 decodes to UTF-8 by default.
const assets = () => src(ASSETS, { base: '.', encoding: false }).pipe(dest('dist'));

function tsc(...args) {
	const bin = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
	return spawn(process.execPath, [bin, '--project', 'tsconfig.build.json', ...args], {
		stdio: 'inherit',
	});
}
const compile = () => tsc();

// What TypeScript adds for default imports, for imports in a circle and for functions that ask
// for their module as `this`. There are none of them, and it would be a tenth of the package.
const SUPERFLUOUS =
	/^(Object\.defineProperty\(exports, ['"]__esModule['"].*|exports\..* = void 0;)\n/gm;

// What ships is meant to be read: it has the style of the sources.
async function format() {
	const config = await prettier.resolveConfig(__filename);
	for (const entry of await readdir('dist', { recursive: true })) {
		const file = path.join('dist', entry);
		if (entry.endsWith('.json')) {
			await writeFile(file, JSON.stringify(JSON.parse(await readFile(file, 'utf8'))));
		}
		if (!entry.endsWith('.js')) continue;
		const emitted = await readFile(file, 'utf8');
		const code = emitted.replace(SUPERFLUOUS, '').replace(/\(0, (\w+\.\w+)\)\(/g, '$1(');
		await writeFile(file, await prettier.format(code, { ...config, filepath: file }));
	}
}

const watchAssets = () => watch(ASSETS, assets);
const watchTypes = () => tsc('--watch', '--preserveWatchOutput');

exports.clean = clean;
exports['build:icons'] = assets;
exports.build = series(clean, parallel(compile, assets), format);
exports.watch = series(exports.build, parallel(watchTypes, watchAssets));
exports.default = exports.build;
