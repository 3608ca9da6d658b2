'use strict';
const { createHash } = require('node:crypto');
const { once } = require('node:events');
const { realpathSync, rmSync } = require('node:fs');
const net = require('node:net');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { text } = require('node:stream/consumers');

const ANSWER_MS = 5_000;

/** @typedef {{ release(): void }} Lock */

/**
 * Takes the lock of a file or folder for this process, or returns its holder's note.
 *
 * The lock is a socket that listens, so the operating system frees it the moment its holder is
 * gone, even after SIGKILL.
 *
 * @param {string} file which must exist
 * @param {string} note for another process that finds the lock taken; not empty
 * @returns {Promise<Lock | { heldBy: string }>}
 */
async function takeLock(file, note) {
	const address = lockAddress(file);
	for (;;) {
		const server = net.createServer((socket) => socket.on('error', () => undefined).end(note));
		server.listen(address).unref();
		try {
			await once(server, 'listening');
			return { release: () => void server.close() };
		} catch (error) {
			if (codeOf(error) !== 'EADDRINUSE') throw error;
		}
		const heldBy = await readNote(address);
		if (heldBy) return { heldBy };
	}
}

/** @param {string} file */
function lockAddress(file) {
	const hash = createHash('sha256').update(realpathSync(file)).digest('hex').slice(0, 24);
	const name = `avatar-studio-${hash}`;
	if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
	// Linux supports sockets without a file; elsewhere a killed holder leaves its file behind.
	return process.platform === 'linux' ? `\0${name}` : path.join(tmpdir(), `${name}.sock`);
}

/**
 * @param {string} address
 * @returns {Promise<string>} empty if nobody holds the lock any more
 */
async function readNote(address) {
	const socket = net.connect(address);
	socket.setTimeout(ANSWER_MS, () => socket.destroy());
	try {
		return await text(socket);
	} catch (error) {
		const code = codeOf(error);
		if (code === 'ERR_STREAM_PREMATURE_CLOSE') return 'a process that does not respond';
		if (code === 'ECONNREFUSED' && address.endsWith('.sock')) rmSync(address, { force: true });
		else if (!['ECONNREFUSED', 'ECONNRESET', 'ENOENT'].includes(code)) throw error;
		return '';
	}
}

/** @param {unknown} error */
function codeOf(error) {
	return String(/** @type {NodeJS.ErrnoException} */ (error).code);
}

module.exports = { takeLock };
