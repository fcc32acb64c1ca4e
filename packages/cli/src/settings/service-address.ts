import { usageError } from '../output/cli-error';

/** The address without the parts that people often paste with it: a slash at the end, or the path of the API. */
export function serviceAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw usageError(`"${text}" is not the address of a service. Use an address such as https://agate.example.com.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw usageError('The address of the service must not contain a password. Set AGATE_TOKEN instead.');
  }
  return `${url.origin}${url.pathname.replace(/(\/api\/v1)?\/*$/, '')}`;
}

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Rejects an address to which a token or password would travel unencrypted: http to another machine.
 * @throws CliError that names the address with https.
 */
export function rejectPlainHttp(address: string): void {
  const { protocol, hostname, host, pathname } = new URL(address);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return;
  const encrypted = `https://${host}${pathname}`.replace(/\/$/, '');
  throw usageError(
    `Tokens and passwords are not sent over plain http, where others can read them. Use ${encrypted} instead of ${address}.`,
  );
}
