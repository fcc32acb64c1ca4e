import { existsSync } from 'node:fs';
import { type Environment } from '../environment';
import { type Proxies, proxyFor } from '../network/proxy';
import { type Check, failed, ok, warning } from './check';

/** The oldest version of Node.js that this program supports. */
const OLDEST_NODE = [20, 18, 1] as const;

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const parts = [major, minor, patch];
  const different = OLDEST_NODE.findIndex((number, index) => number !== parts[index]);
  const isSupported = different < 0 || parts[different]! > OLDEST_NODE[different]!;
  if (isSupported) return ok('node', `Node.js ${version}`);
  return failed('node', `Node.js ${version} is too old.`, `Install Node.js ${OLDEST_NODE.join('.')} or later.`);
}

/** @param proxy the proxy to the service; null without a proxy. */
export function proxyCheck(url: URL, proxies: Proxies): Check {
  const proxy = proxyFor(url, proxies);
  if (proxy) return ok('proxy', `The service is reached through the proxy ${proxy.host}.`);
  if (!proxies.http && !proxies.https) return ok('proxy', 'No proxy is set.');
  return ok('proxy', `The service is reached directly. NO_PROXY is "${proxies.except}".`);
}

/** Certificates of authorities that Node.js trusts in addition to its built-in ones. */
export function authoritiesCheck(environment: Environment): Check | null {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    return warning(
      'authorities',
      'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so that everyone on the way can read the token.',
      'Remove it. Set NODE_EXTRA_CA_CERTS to the certificate of your own authority.',
    );
  }
  const file = environment['NODE_EXTRA_CA_CERTS'];
  if (!file) return null;
  if (existsSync(file)) return ok('authorities', `The certificates in ${file} are trusted too.`);
  return failed(
    'authorities',
    `NODE_EXTRA_CA_CERTS names ${file}, which does not exist.`,
    'Set it to a file with certificates in PEM form.',
  );
}
