// Nothing is imported before the version is known: an older Node could not even read the rest.
const OLDEST_NODE = [20, 19];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
	process.stderr.write(
		`This is Node.js ${process.versions.node}; ${OLDEST_NODE.join('.')} or later is needed.\n\n` +
			'Install a newer Node.js, then start again.\n',
	);
	process.exitCode = 1;
} else {
	const { begin } = await import('./begin.mjs');
	await begin();
}
