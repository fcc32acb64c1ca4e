import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import { HttpConfig, WebhookConfig } from '#infra/config/config';
import { AllowedHosts } from '#infra/network/allowed-hosts';

/** Below 1024 are the ports of mail servers, shells and name servers, which a request could confuse. */
const WEB_PORTS = new Set([80, 443]);
const FIRST_FREE_PORT = 1024;

/** The addresses to which webhooks may send: public ones over https, and those in `WEBHOOK_ALLOWED_HOSTS`; never this service. */
@Injectable()
export class WebhookHosts {
  readonly allowed: AllowedHosts;
  private readonly own: readonly URL[];
  private readonly port: number;

  constructor({ allowedHosts }: WebhookConfig, { baseUrl, installBaseUrl, port }: HttpConfig) {
    this.allowed = new AllowedHosts(allowedHosts);
    this.own = [new URL(baseUrl), new URL(installBaseUrl)];
    this.port = port;
  }

  /**
   * Checks an address without a look-up, because a route must not wait for a name server. Every connection is checked again.
   * @throws AppError operation_not_allowed
   */
  require(address: string): URL {
    const url = parse(address);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const isExempt = this.allowed.namesHost(host);
    const port = portOf(url);
    if (this.isOwn(url, isExempt))
      throw new AppError('operation_not_allowed', {
        message: 'The address belongs to this service.',
        details: { reason: 'webhook_own_host' },
      });
    if (!isExempt && port < FIRST_FREE_PORT && !WEB_PORTS.has(port))
      throw new AppError('operation_not_allowed', {
        message: 'The port is not one of a web server. Use 443, or one above 1023.',
        details: { reason: 'webhook_port' },
      });
    if (!this.allowed.mayAllow(host, url.protocol === 'https:')) {
      if (isIP(host) !== 0 && url.protocol === 'https:')
        throw new AppError('operation_not_allowed', {
          message: 'The address is not public. Use a public address.',
          details: { reason: 'webhook_not_public' },
        });
      throw new AppError('operation_not_allowed', {
        message: 'The address does not use https. Use an https address.',
        details: { reason: 'webhook_not_https' },
      });
    }
    return url;
  }

  /** Whether the address leads to this service: by its public name, or by an address of this machine with a port of the service. */
  private isOwn(url: URL, isExempt: boolean): boolean {
    const host = comparableHostOf(url);
    const named = this.own.filter((own) => comparableHostOf(own) === host);
    if (named.length > 0 && !isExempt) return true;
    if (named.some((own) => portOf(own) === portOf(url))) return true;
    return isOfThisMachine(host) && [this.port, ...this.own.map(portOf)].includes(portOf(url));
  }
}

function parse(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.hostname === '')
    throw AppError.validation([
      { field: 'url', messages: ['url must be an http or https URL without user and password'] },
    ]);
  url.hash = '';
  return url;
}

/** A name without a final dot, and an IPv4-mapped address as IPv4: other spellings lead to the same place. */
function comparableHostOf({ hostname }: URL): string {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const [, high = '', low = ''] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(host) ?? [];
  if (low === '') return host;
  const bits = Number.parseInt(high, 16) * 0x10000 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

const isOfThisMachine = (host: string): boolean =>
  host === 'localhost' ||
  /^(127\.|::1$|0\.0\.0\.0$|::$)/.test(host) ||
  Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === host));
