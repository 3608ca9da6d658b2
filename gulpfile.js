const { src, dest, parallel, series, watch } = require('gulp');
const { rm } = require('node:fs/promises');
const { spawn } = require('node:child_process');
const path = require('node:path');

const ASSETS = ['nodes/**/*.{png,svg}', 'credentials/**/*.{png,svg}', 'nodes/**/*.node.json'];

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
const watchAssets = () => watch(ASSETS, assets);
const watchTypes = () => tsc('--watch', '--preserveWatchOutput');

exports.clean = clean;
exports['build:icons'] = assets;
exports.build = series(clean, parallel(compile, assets));
exports.watch = series(exports.build, parallel(watchTypes, watchAssets));
exports.default = exports.build;
