import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = /^(https?:\/\/)?(127\.0\.0\.1|localhost)(:\d+)?$/i;

/**
 * Whether a request names this machine in its Host header and, if a page sent it, comes from a page
 * of this machine. A page whose host name was made to resolve to 127.0.0.1 (DNS rebinding) does
 * neither, and could otherwise read every response.
 */
export function isLocalRequest({ host = '', origin = host }: IncomingHttpHeaders): boolean {
	return LOOPBACK.test(host) && LOOPBACK.test(origin);
}
