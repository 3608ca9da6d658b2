'use strict';
const { createHash } = require('node:crypto');
const { once } = require('node:events');
const { realpathSync, rmSync } = require('node:fs');
const net = require('node:net');
const { tmpdir } = require('node:os');
const path = require('node:path');

/**
 * Takes the lock of a folder for this process.
 *
 * The lock is a socket that listens, so the operating system frees it the moment its holder is
 * gone, even after SIGKILL.
 *
 * @param {string} folder which must exist
 * @returns {Promise<{ release(): void } | undefined>} undefined if another process holds it
 */
async function takeLock(folder) {
	const address = lockAddress(folder);
	const server = net.createServer((socket) => void socket.destroy()).unref();
	try {
		await once(server.listen(address), 'listening');
		return { release: () => void server.close() };
	} catch (error) {
		if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE') throw error;
	}
	// On macOS, a killed holder leaves the file of its socket behind.
	if (!address.endsWith('.sock') || (await isListening(address))) return undefined;
	rmSync(address, { force: true });
	return await takeLock(folder);
}

/** @param {string} folder */
function lockAddress(folder) {
	const hash = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 24);
	const name = `avatar-studio-${hash}`;
	if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
	return process.platform === 'linux' ? `\0${name}` : path.join(tmpdir(), `${name}.sock`);
}

/** @param {string} address */
async function isListening(address) {
	const socket = net.connect(address);
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}

module.exports = { takeLock };
