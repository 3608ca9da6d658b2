import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

import { isLocalRequest } from '../service/isLocalRequest';

/** A page that logs the browser in and redirects it to the editor. */
export interface LoginPage {
	/** Logs in the first browser that opens it. Any other is redirected without a session. */
	readonly url: string;
	close(): Promise<void>;
}

/**
 * Serves the page on 127.0.0.1. A cookie is valid for every port of a host, so the session cookie
 * of n8n can be set here; the browser is then redirected to n8n.
 */
export async function startLoginPage(options: {
	port: number;
	n8nPort: number;
	login: () => Promise<string[]>;
}): Promise<LoginPage> {
	// Every program and account of this machine can reach the page; only the user has read the link.
	const path = `/${randomBytes(24).toString('base64url')}`;
	let isUsed = false;
	const server = createServer((request, response) => {
		if (!isLocalRequest(request.headers) || request.method !== 'GET') {
			response.writeHead(403).end();
			return;
		}
		const isAllowed = request.url === path && !isUsed;
		if (isAllowed) isUsed = true;
		(isAllowed ? options.login() : Promise.resolve([])).then(
			(cookies) => {
				const host = new URL(`http://${request.headers.host}`).hostname;
				response
					.writeHead(302, {
						location: `http://${host}:${options.n8nPort}/`,
						'set-cookie': cookies,
						'cache-control': 'no-store',
						'referrer-policy': 'no-referrer',
					})
					.end();
			},
			(error: Error) => {
				// The link did not log anybody in.
				isUsed = false;
				response.writeHead(502, { 'content-type': 'text/plain' }).end(error.message);
			},
		);
	});
	server.listen(options.port, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${options.port}${path}`,
		async close() {
			server.closeAllConnections();
			await new Promise((closed) => void server.close(closed));
		},
	};
}
