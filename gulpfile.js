const { src, dest, parallel, series, watch } = require('gulp');
const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const path = require('node:path');

// npm run dev builds straight into its running n8n.
const OUT = process.env.BUILD_FOLDER ?? 'dist';

const ASSETS = 'nodes/**/*.{json,svg}';

const clean = () => rm(OUT, { recursive: true, force: true });

const assets = () => src(ASSETS, { base: '.' }).pipe(dest(OUT));

function tsc(...args) {
	const bin = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
	const project = ['--project', 'tsconfig.build.json', '--outDir', OUT];
	return spawn(process.execPath, [bin, ...project, ...args], { stdio: 'inherit' });
}
const compile = () => tsc();

const watchAssets = () => watch(ASSETS, assets);
const watchTypes = () => tsc('--watch', '--preserveWatchOutput');

exports.clean = clean;
exports.build = series(clean, parallel(compile, assets));
exports.watch = parallel(watchTypes, watchAssets);
