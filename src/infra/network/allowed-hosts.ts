import { type BlockList, isIP, isIPv4 } from 'node:net';
import { isPublicAddress, networks } from './public-address';

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/i;

/** The destination of a connection to a server that a customer chose. */
export interface Destination {
  /** The host name or address that the customer configured. */
  readonly host: string;
  /** The resolved address, or the host itself when it is an address. */
  readonly address: string;
  /** Whether the connection uses TLS. */
  readonly secure: boolean;
}

/**
 * Decides to which customers' hosts the service may connect: public addresses over TLS, and the hosts that the operator exempts
 * (`BYOSA_ALLOWED_HOSTS` for stores, `WEBHOOK_ALLOWED_HOSTS` for webhooks) with or without TLS.
 */
export class AllowedHosts {
  private readonly names: ReadonlySet<string>;
  private readonly exempt: BlockList;
  private readonly hasNetworks: boolean;

  /** @param entries host names, addresses and networks; each satisfies {@link isAllowedHostEntry}. */
  constructor(entries: readonly string[]) {
    this.names = new Set(entries.filter((entry) => !isNetworkEntry(entry)).map(canonical));
    this.exempt = networks(entries.filter(isNetworkEntry));
    this.hasNetworks = entries.some(isNetworkEntry);
  }

  /** Whether the service may connect to the destination. */
  allows({ host, address, secure }: Destination): boolean {
    if (this.exempts(host, address)) return true;
    return secure && isPublicAddress(address);
  }

  /** False when no address of the host could be allowed, so that an invalid URL is rejected without a look-up. */
  mayAllow(host: string, secure: boolean): boolean {
    if (isIP(host) !== 0) return this.allows({ host, address: host, secure });
    return secure || this.hasNetworks || this.namesHost(host);
  }

  /** Whether the operator exempts the host by its name or address. */
  namesHost(host: string): boolean {
    return this.exempts(host, isIP(host) === 0 ? '' : host);
  }

  private exempts(host: string, address: string): boolean {
    if (this.names.has(canonical(host))) return true;
    return isIP(address) !== 0 && this.exempt.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}

/** Whether `entry` is a valid entry of such a list: a host name, an address or a network. */
export const isAllowedHostEntry = (entry: string): boolean => isNetworkEntry(entry) || HOST_NAME.test(entry);

function isNetworkEntry(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/');
  if (isIP(address) === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128));
}

const canonical = (host: string): string => host.toLowerCase().replace(/\.$/, '');
