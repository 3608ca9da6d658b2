'use strict';
// Required first, and in a syntax that the Node.js 12 of an older Ubuntu reads, as is whatever
// requires it: the other modules use a later one.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
	process.stderr.write(
		`Node.js 20.19 or later is required; this is ${process.version}.\n\n` +
			'Install it from https://nodejs.org, then start again.\n',
	);
	process.exit(1);
}
