import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * IPv4 networks that are not public (IANA special-purpose registry, RFC 6890), plus 168.63.129.16, which serves instance
 * metadata to every virtual machine in Azure.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** Global unicast. Everything else is loopback, unspecified, link-local, unique local, NAT64, multicast or unassigned. */
const GLOBAL_IPV6 = ['2000::/3'];
/**
 * Exceptions within global unicast: protocol assignments (including Teredo), documentation, and 6to4, which embeds any IPv4
 * address.
 */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const specialIpv4 = networks(SPECIAL_IPV4);
const globalIpv6 = networks(GLOBAL_IPV6);
const specialIpv6 = networks(SPECIAL_IPV6);

/**
 * Whether `address` is a public IP address. IPv4-mapped IPv6 addresses (`::ffff:10.0.0.1`) are not public: DNS never returns
 * one for a public host.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialIpv4.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}

/** Builds a BlockList from networks in the form `address/prefix` and single addresses. */
export function networks(list: readonly string[]): BlockList {
  const block = new BlockList();
  for (const entry of list) {
    const [address = '', prefix] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) block.addAddress(address, family);
    else block.addSubnet(address, Number(prefix), family);
  }
  return block;
}

/**
 * Whether a network is wider than any that a single organization owns, so that listing it amounts to allowing everything.
 * False for host names and single addresses.
 */
export function isOverbroadNetwork(entry: string): boolean {
  const [address = '', prefix] = entry.split('/');
  if (prefix === undefined) return false;
  if (isIPv4(address)) return Number(prefix) < 8;
  // All of IPv4 can also be written as an IPv6 network.
  const all = networks([entry]);
  return Number(prefix) < 7 || (all.check('9.9.9.9', 'ipv4') && all.check('200.1.1.1', 'ipv4'));
}
