'use strict';
const { createHash } = require('node:crypto');
const { realpathSync, rmSync } = require('node:fs');
const net = require('node:net');
const { tmpdir } = require('node:os');
const path = require('node:path');

/**
 * @typedef {Record<string, string | number> & { pid: number }} LockHolder
 * @typedef {{ release(): void }} Lock
 */

/**
 * Takes the lock of a folder for this process, or returns what its holder noted down.
 *
 * The lock is a socket that listens, so the operating system frees it the moment its holder is
 * gone, even after SIGKILL.
 *
 * @param {string} folder which must exist
 * @param {Record<string, string | number>} note for another process that finds the lock taken
 * @returns {Promise<Lock | { holder: LockHolder, released: Promise<undefined> }>}
 */
async function takeLock(folder, note = {}) {
	const address = lockAddress(folder);
	for (;;) {
		const server = await listen(address, JSON.stringify({ ...note, pid: process.pid }));
		if (server) return { release: () => void server.close() };
		const taken = await askHolder(address);
		if (taken) return taken;
	}
}

/** @param {string} folder */
function lockAddress(folder) {
	const hash = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 24);
	const name = `avatar-studio-${hash}`;
	if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
	// Linux has sockets without a file; elsewhere a killed holder leaves its file behind.
	return process.platform === 'linux' ? `\0${name}` : path.join(tmpdir(), `${name}.sock`);
}

/**
 * @param {string} address
 * @param {string} note
 * @returns {Promise<net.Server | undefined>} undefined if the address is taken
 */
async function listen(address, note) {
	return await new Promise((resolve, reject) => {
		/** @type {Set<net.Socket>} */
		const waiting = new Set();
		const server = net.createServer((socket) => {
			waiting.add(socket.unref());
			socket.on('error', () => waiting.delete(socket)).write(`${note}\n`);
		});
		server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
			if (error.code === 'EADDRINUSE') resolve(undefined);
			else reject(error);
		});
		const { close } = server;
		server.close = (done) => {
			for (const socket of waiting) socket.destroy();
			return close.call(server, done);
		};
		server.listen(address, () => resolve(server.unref()));
	});
}

/**
 * @param {string} address
 * @returns {Promise<{ holder: LockHolder, released: Promise<undefined> } | undefined>}
 *   undefined if nobody holds it any more
 */
async function askHolder(address) {
	const socket = net.connect(address);
	/** @type {Promise<undefined>} */
	const released = new Promise((resolve) => socket.once('close', () => resolve(undefined)));
	/** @type {Promise<LockHolder>} */
	const note = new Promise((resolve) => {
		let text = '';
		socket.setEncoding('utf8').on('data', (part) => {
			text += String(part);
			if (text.endsWith('\n')) resolve(JSON.parse(text));
		});
	});
	socket.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
		if (error.code === 'ECONNREFUSED' && !address.startsWith('\0'))
			rmSync(address, { force: true });
	});
	const holder = await Promise.race([note, released]);
	return holder ? { holder, released } : undefined;
}

module.exports = { takeLock };
