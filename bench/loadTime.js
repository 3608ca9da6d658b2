'use strict';
// Prints how many milliseconds the files take to load. n8n has already loaded n8n-workflow by then.
const { createRequire } = require('node:module');
const { performance } = require('node:perf_hooks');

const [modules, ...files] = process.argv.slice(2);
createRequire(`${modules}/`)('n8n-workflow');
// Its garbage would be collected while the files load.
globalThis.gc?.();

const startedAt = performance.now();
for (const file of files) require(file);
process.stdout.write(String(performance.now() - startedAt));
