import { shorten } from '../errors/formatText';
import { UserError } from '../errors/userError';

/** The addresses of a machine that lead to nothing but itself, on any system. */
const LOOPBACK_HOST = /^(localhost|127\.[\d.]+|\[::1\])$/i;
/** What leads to the machine itself on most systems. */
const OWN_HOST = /^(.*\.localhost|0\.[\d.]+|\[::\])$/i;
/** RFC 1918, the shared addresses of RFC 6598, and link-local ones, where clouds keep their keys. */
const PRIVATE_ADDRESS =
	/^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/;
/** Public addresses of IPv6 begin with 2 or 3 (RFC 4291). */
const PRIVATE_IPV6 = /^\[(?![23])/;
/** What home routers and clusters name their hosts (RFC 6762, appendix G); one without a dot is local. */
const PRIVATE_NAME =
	/^[^.:]+$|^fritz\.box$|\.(fritz\.box|home\.arpa|local|internal|private|lan|home|localdomain|corp|intranet|svc|cluster|test)$/i;

/** @returns whether what is sent to a host certainly never leaves this machine */
export function isLoopback(hostname: string): boolean {
	return LOOPBACK_HOST.test(hostname);
}

/** @returns from where the host of a URL can be reached: 0 its own machine, 1 its network, 2 anywhere */
export function getReach(url: string): 0 | 1 | 2 {
	const host = new URL(url).hostname.replace(/\.$/, '');
	if (isLoopback(host) || OWN_HOST.test(host)) return 0;
	const isPrivate = [PRIVATE_ADDRESS, PRIVATE_IPV6, PRIVATE_NAME].some((it) => it.test(host));
	return isPrivate ? 1 : 2;
}

/** Guards n8n's network: throws UserError if the host of a link is less public than the service. */
export function assertReachable(url: string, baseUrl: string): void {
	if (getReach(url) >= getReach(baseUrl)) return;
	throw new UserError(
		`The link leads to ${shorten(new URL(url).host)}, a host of a private network`,
		'It was not followed, because the service itself is public.',
		{ code: 'privateHost' },
	);
}
