import { type BlockList, isIP, isIPv4 } from 'node:net';
import { isPublicAddress, networks } from './public-address';

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i;

/** Where a connection for a customer leads. */
export interface Destination {
  /** As the customer wrote it. */
  readonly host: string;
  /** What it resolved to, or the host itself when that is an address. */
  readonly address: string;
  /** Whether TLS is spoken to it. */
  readonly secure: boolean;
}

/**
 * The rule for connections to places that customers name (contract §11): the public internet, by TLS; and whatever
 * `BYOSA_ALLOWED_HOSTS` exempts, by any means.
 */
export class AllowedHosts {
  private readonly names: ReadonlySet<string>;
  private readonly exempt: BlockList;

  /** @param entries host names, addresses and networks, each {@link isAllowedHostEntry}. */
  constructor(entries: readonly string[]) {
    this.names = new Set(entries.filter((entry) => !isNetworkEntry(entry)).map(canonical));
    this.exempt = networks(entries.filter(isNetworkEntry));
  }

  /** Whether an address may be connected to. */
  allows({ host, address, secure }: Destination): boolean {
    if (this.exempts(host, address)) return true;
    return secure && isPublicAddress(address);
  }

  private exempts(host: string, address: string): boolean {
    if (this.names.has(canonical(host))) return true;
    return isIP(address) !== 0 && this.exempt.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}

/** Whether a text can stand in `BYOSA_ALLOWED_HOSTS`. */
export const isAllowedHostEntry = (entry: string): boolean => isNetworkEntry(entry) || HOST_NAME.test(entry);

function isNetworkEntry(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/');
  if (isIP(address) === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128));
}

const canonical = (host: string): string => host.toLowerCase().replace(/\.$/, '');
