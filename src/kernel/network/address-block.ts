import { isIP, isIPv4 } from 'node:net';

/** The groups of an IPv6 address that name its /48: the block that one customer of a provider usually controls. */
const IPV6_GROUPS = 3;

/**
 * Returns the block of an address that one attacker is assumed to control: /24 for IPv4, /48 for IPv6, such as `203.0.113.0/24` and
 * `2001:db8:7::/48`. `unknown` when the address is null or malformed.
 */
export function addressBlock(address: string | null): string {
  if (address === null || isIP(address) === 0) return 'unknown';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const ipv4 = isIPv4(address) ? address : mapped;
  if (ipv4 !== undefined) return `${ipv4.slice(0, ipv4.lastIndexOf('.'))}.0/24`;
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  // `::` replaces as many zero groups as are missing, at least one; only the first three groups are needed.
  if (tail !== undefined) {
    const back = tail === '' ? [] : tail.split(':');
    const missing = 8 - groups.length - back.length - (tail.includes('.') ? 1 : 0);
    groups.push(...Array<string>(Math.max(0, missing)).fill('0'), ...back);
  }
  return `${groups
    .slice(0, IPV6_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/48`;
}
