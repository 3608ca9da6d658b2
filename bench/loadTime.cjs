'use strict';
// Prints how long the package takes to load into a Node that has n8n-workflow already, as n8n has.
const { createRequire } = require('node:module');

const [, , folder, fromN8n, ...files] = process.argv;
process.env.NODE_PATH = fromN8n;
createRequire(__filename)('node:module')._initPaths();
createRequire(`${folder}/package.json`)('n8n-workflow');

const started = performance.now();
for (const file of files) require(file);
process.stdout.write(String(performance.now() - started));
