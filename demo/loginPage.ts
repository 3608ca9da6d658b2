import { once } from 'node:events';
import { createServer } from 'node:http';

/** A page that logs the browser in and redirects it to the editor. */
export interface LoginPage {
	readonly url: string;
	close(): Promise<void>;
}

/**
 * Serves the page on 127.0.0.1. A cookie is valid for every port of a host, so the session cookie
 * of n8n can be set here; the browser is then redirected to the same path of n8n.
 */
export async function startLoginPage(options: {
	port: number;
	n8nPort: number;
	login: () => Promise<string[]>;
}): Promise<LoginPage> {
	const server = createServer((request, response) => {
		// No session for another host name that resolves to this machine (DNS rebinding).
		const host = /^(127\.0\.0\.1|localhost):\d+$/.exec(request.headers.host ?? '')?.[1];
		if (!host || request.method !== 'GET') {
			response.writeHead(403).end();
			return;
		}
		options.login().then(
			(cookies) => {
				response
					.writeHead(302, {
						location: `http://${host}:${options.n8nPort}${request.url ?? '/'}`,
						'set-cookie': cookies,
						'cache-control': 'no-store',
					})
					.end();
			},
			(error: Error) => {
				response.writeHead(502, { 'content-type': 'text/plain' }).end(error.message);
			},
		);
	});
	server.listen(options.port, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${options.port}/`,
		async close() {
			server.closeAllConnections();
			await new Promise((closed) => void server.close(closed));
		},
	};
}
