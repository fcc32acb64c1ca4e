import { isIPv6 } from 'node:net';

/** What an address is counted as: IPv4 as it is, IPv6 by its /64, because a client owns a whole one (contract §15). */
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
