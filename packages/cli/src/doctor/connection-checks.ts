import { lookup } from 'node:dns/promises';
import { rootCertificates } from 'node:tls';
import { connectionErrorOf } from '../output/connection-errors';
import { type Check, failed, ok, skipped, warning } from './check';
import { probeTls, type TlsFacts } from './tls-probe';

const DAY_MS = 86_400_000;
const FEW_DAYS = 14;

/** Whether the name of the service has an address. A proxy resolves names itself. */
export async function nameCheck({ hostname }: URL, proxy: URL | null): Promise<Check> {
  if (proxy) return skipped('name', 'The proxy resolves the name of the service.');
  try {
    const { address } = await lookup(hostname.replace(/^\[|\]$/g, ''));
    return ok('name', `${hostname} is ${address}.`);
  } catch (error) {
    const reason = connectionErrorOf(error) ?? 'unknown error';
    return failed(
      'name',
      `The name ${hostname} has no address here (${reason}).`,
      'Correct AGATE_URL, or the DNS server of this machine.',
    );
  }
}

/** Whether this machine trusts the certificate of the service, and for how long. */
export async function certificateCheck(url: URL, proxy: URL | null, now: number): Promise<Check> {
  if (url.protocol === 'http:') return plainCheck(url);
  try {
    return judged('certificate', url, await probeTls(url, proxy), now);
  } catch (error) {
    return failed(
      'certificate',
      `No secure connection to ${url.host} (${connectionErrorOf(error) ?? 'unknown error'}).`,
      'Check that the service runs there, and that a firewall or proxy lets this machine through.',
    );
  }
}

/** Whether phones accept the host of install pages: https with a certificate of a public authority. */
export async function installHostCheck(base: string, proxy: (url: URL) => URL | null, now: number): Promise<Check> {
  const name = 'install_host';
  const url = new URL(base);
  if (['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)) {
    return warning(
      name,
      `Install links begin with ${url.origin}, which a phone cannot open.`,
      'Set INSTALL_BASE_URL of the service to an address that phones can reach.',
    );
  }
  if (url.protocol === 'http:') {
    return failed(
      name,
      `Install links begin with ${url.origin}. iPhones install only over https.`,
      'Put the service behind https, and set its INSTALL_BASE_URL to that address.',
    );
  }
  try {
    const facts = await probeTls(url, proxy(url), rootCertificates);
    return facts.error !== null && isUnknownAuthority(facts.error)
      ? warning(
          name,
          `${url.host} has a certificate of a private authority (${facts.issuer}). iPhones install only after its profile is trusted.`,
          'Use a certificate of a public authority, or install the profile of yours on every phone.',
        )
      : judged(name, url, facts, now);
  } catch (error) {
    const reason = connectionErrorOf(error) ?? 'unknown error';
    return warning(
      name,
      `${url.host} cannot be reached from here (${reason}).`,
      'Check from a phone that install links open.',
    );
  }
}

function plainCheck({ hostname, host }: URL): Check {
  if (/^(localhost|127\.|\[::1\])/.test(hostname)) return ok('certificate', 'The connection stays on this machine.');
  return warning(
    'certificate',
    `The connection to ${host} is not encrypted: everyone on the way can read the token.`,
    'Use an address that begins with https://.',
  );
}

function judged(name: string, { host }: URL, { error, validTo, issuer }: TlsFacts, now: number): Check {
  const day = validTo?.toISOString().slice(0, 10);
  if (validTo !== null && validTo.getTime() < now) {
    return failed(name, `The certificate of ${host} expired on ${day}.`, 'Have the operator of the service renew it.');
  }
  if (error !== null && isUnknownAuthority(error)) {
    return failed(
      name,
      `The certificate of ${host} is from an authority that this machine does not know (${issuer || error}).`,
      'Set NODE_EXTRA_CA_CERTS to the certificate of that authority, or have the operator send the whole chain.',
    );
  }
  if (error !== null) {
    return failed(name, `The certificate of ${host} is not valid (${error}).`, 'Check AGATE_URL, and the clock.');
  }
  const days = validTo ? Math.floor((validTo.getTime() - now) / DAY_MS) : Number.POSITIVE_INFINITY;
  if (days < FEW_DAYS) {
    return warning(
      name,
      `The certificate of ${host} expires in ${days} days, on ${day}.`,
      'Have the operator renew it.',
    );
  }
  return ok(name, `The certificate of ${host} is valid until ${day} (${issuer}).`);
}

const isUnknownAuthority = (error: string): boolean =>
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ].includes(error);
