import { isIPv4, isIPv6 } from 'node:net';

/**
 * Returns the key by which an address is rate-limited: IPv4 addresses one by one, IPv6 addresses by /64 network, because one
 * client controls a whole /64. `unknown` when the address is null.
 */
export function clientNetwork(address: string | null): string {
  if (!address || !isIPv6(address)) return address ?? 'unknown';
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/**
 * Returns the key of the wider network of an address: an IPv4 /24 or an IPv6 /48, which one customer of a provider can own. `unknown`
 * when the address is null.
 */
export function widerNetwork(address: string | null): string {
  if (address && isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  if (address && isIPv6(address)) return `${groupsOf(address).slice(0, 3).join(':')}::/48`;
  return address ?? 'unknown';
}

/**
 * Returns the key of the network that one customer of a provider can own with many client networks: an IPv6 /48. Null for IPv4, where a
 * client is one address, and when the address is null.
 */
export const customerNetwork = (address: string | null): string | null =>
  address && isIPv6(address) ? widerNetwork(address) : null;

/** The eight groups of an IPv6 address, in lower case and without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const groups =
    tail === undefined
      ? front
      : [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return groups.map((group) => group.replace(/^0+(?=.)/, ''));
}
