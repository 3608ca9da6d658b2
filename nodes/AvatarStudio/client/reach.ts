import { UserError } from '../errors/userError';
import { shorten } from '../errors/values';

/**
 * Names of the machine itself and of its network. No public domain ends in one of these labels, nor in
 * one with a hyphen, as namespaces of a cluster often have: `db.kube-system`.
 * Sources: RFC 6761, RFC 6762 (appendix G), and what clusters and home routers name their hosts.
 */
const LOOPBACK_NAME = /^(.*\.)?localhost$/i;
const PRIVATE_NAME =
	/^([^.]+|(.*\.)?(fritz\.box|home\.arpa)|.*\.(local|internal|private|lan|home|localdomain|corp|test|svc|cluster|default|consul|docker|intranet|(?!xn--)[^.-]*-[^.]*))$/i;
/**
 * IPv4 networks by the hexadecimal digits that their addresses begin with. Source: IANA's registry of
 * special-purpose addresses and that of multicast; Azure serves its machines from 168.63.129.16.
 */
const NETWORKS: [reach: 0 | 1, prefix: RegExp][] = [
	[0, /^(00|7f)/], // 0.0.0.0/8, 127.0.0.0/8
	[1, /^(0a|ac1|c0a8)/], // 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16
	[1, /^(64[4-7]|a9fe)/], // 100.64.0.0/10, 169.254.0.0/16
	[1, /^(c00000|c61[23])/], // 192.0.0.0/24, 198.18.0.0/15
	[1, /^[ef]/], // 224.0.0.0/4, 240.0.0.0/4
	[1, /^a83f8110/],
];
/** The IPv4 address in an IPv6 one: compatible, mapped, translated, by NAT64, by 6to4 (RFC 3056). */
const EMBEDDED_ADDRESS = /^(?:(?:0{24}|0{20}ffff|0{16}ffff0000|0064ff9b0{16})(.{8})$|2002(.{8}))/;

/** @returns from where a host can be reached: 0 its own machine, 1 its network, 2 anywhere */
export function getReach(url: string): 0 | 1 | 2 {
	const host = new URL(url).hostname.replace(/\.$/, '');
	const isIpv4 = /^[\d.]+$/.test(host);
	if (LOOPBACK_NAME.test(host)) return 0;
	if (!isIpv4 && !host.startsWith('[')) return PRIVATE_NAME.test(host) ? 1 : 2;
	const address = expand(isIpv4 ? new URL(`http://[::ffff:${host}]`).hostname : host);
	const [, embedded, by6to4] = EMBEDDED_ADDRESS.exec(address) ?? [];
	const ipv4 = embedded ?? by6to4;
	// Public addresses of IPv6 are those of 2000::/3.
	if (ipv4 === undefined) return /^[23]/.test(address) ? 2 : 1;
	return NETWORKS.find(([, prefix]) => prefix.test(ipv4))?.[0] ?? 2;
}

/** @returns the 32 hexadecimal digits of an IPv6 address as the URL parser writes it, in brackets */
function expand(host: string): string {
	const padded = host.replace(/[\da-f]+/g, (group) => group.padStart(4, '0'));
	const [head, tail = ''] = padded.split('::').map((groups) => groups.replace(/\W/g, ''));
	return head!.padEnd(32 - tail.length, '0') + tail;
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
		{ code: 'privateHost' },
	);
}
