import { isIPv6 } from 'node:net';

/**
 * Returns the key by which an address is rate-limited: IPv4 addresses one by one, IPv6 addresses by /64 network, because one
 * client controls a whole /64. `unknown` when the address is null.
 */
export function clientNetwork(address: string | null): string {
  if (!address || !isIPv6(address)) return address ?? 'unknown';
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const groups =
    tail === undefined
      ? front
      : [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
