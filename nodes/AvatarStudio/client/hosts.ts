import { UserError } from '../errors/userError';
import { shorten } from '../errors/values';

/**
 * Hosts of the machine itself, then of its network; all others are public. No public domain ends in
 * one of these labels, nor in one with a hyphen, as namespaces of a cluster often have: `db.kube-system`.
 * Azure serves its machines from 168.63.129.16.
 */
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i;
const PRIVATE_NAME =
	/^([^.[\]:]+|.*\.(local|internal|lan|home|home\.arpa|localdomain|corp|test|svc|default|consul|docker|intranet|(?!xn--)[^.-]*-[^.]*))$/i;
const PRIVATE_ADDRESS =
	/^(10(\.\d+){3}|168\.63\.129\.16|192\.(0\.0|168\.\d+)\.\d+|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|169\.254(\.\d+){2}|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+){2}|\[f[cde][\da-f:]*\])$/i;
/**
 * An IPv4 address in an IPv6 one (mapped, compatible, or translated by NAT64), as the URL parser
 * writes it: two groups of hexadecimal digits.
 */
const MAPPED_ADDRESS = /^\[(?:::(?:ffff:(?:0:)?)?|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})\]$/i;

/** @returns from where a host can be reached: 0 its own machine, 1 its network, 2 anywhere */
export function getReach(url: string): 0 | 1 | 2 {
	const host = new URL(url).hostname.replace(/\.$/, '');
	const [, high, low = ''] = MAPPED_ADDRESS.exec(host) ?? [];
	// The URL parser writes it in its usual form.
	const address = high ? new URL(`http://0x${high}${low.padStart(4, '0')}`).hostname : host;
	if (LOOPBACK.test(address)) return 0;
	return PRIVATE_NAME.test(address) || PRIVATE_ADDRESS.test(address) ? 1 : 2;
}

/**
 * Guards the network of n8n against a link from outside: a link to a file must not lead to a host
 * that reaches less far than the service's own address.
 *
 * @throws UserError naming the host
 */
export function assertReachable(url: string, baseUrl: string): void {
	if (getReach(url) >= getReach(baseUrl)) return;
	throw new UserError(
		`The link leads to ${shorten(new URL(url).host)}, a host of a private network`,
		'It was not followed, because the service itself is public.',
		'privateHost',
	);
}
