'use strict';
// Required before anything else: the other modules use syntax and APIs an older Node.js lacks.
var OLDEST = '20.19';
var major = Number(process.versions.node.split('.')[0]);
var minor = Number(process.versions.node.split('.')[1]);

if (major < 20 || (major === 20 && minor < 19)) {
	process.stderr.write(
		'Node.js ' +
			OLDEST +
			' or later is required; this is ' +
			process.version +
			'.\n\n' +
			'Install it from https://nodejs.org, then start again.\n',
	);
	process.exit(1);
}
