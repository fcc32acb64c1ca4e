import { type Environment } from '../environment';
import { usageError } from '../output/cli-error';

/** The proxies that the environment configures. */
export interface Proxies {
  readonly http: URL | null;
  readonly https: URL | null;
  /** Hosts that are reached without a proxy. */
  readonly except: string;
}

/**
 * Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; names in lower case take precedence.
 * @throws CliError for an invalid address of a proxy.
 */
export function proxiesOf(environment: Environment): Proxies {
  const http = proxyOf(environment, 'HTTP_PROXY');
  return {
    http,
    https: proxyOf(environment, 'HTTPS_PROXY') ?? http,
    except: variableOf(environment, 'NO_PROXY'),
  };
}

/** The proxy for an address; null when it is reached directly. */
export function proxyFor(url: URL, { http, https, except }: Proxies): URL | null {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const isExcept = except.split(/[,\s]+/).some((entry) => matches(entry.toLowerCase(), url.hostname, port));
  if (isExcept) return null;
  return url.protocol === 'https:' ? https : http;
}

/**
 * Sends all requests of this process through the proxies of the environment. Node 20 ignores these variables.
 * @throws CliError for an invalid address of a proxy.
 */
export async function useProxies(environment: Environment): Promise<void> {
  const { http, https, except } = proxiesOf(environment);
  if (!http && !https) return;
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici');
  setGlobalDispatcher(
    new EnvHttpProxyAgent({
      // Without a proxy for http, an empty text keeps the agent from reading the variable.
      httpProxy: http?.href ?? '',
      httpsProxy: https?.href ?? '',
      noProxy: except,
    }),
  );
}

function proxyOf(environment: Environment, name: string): URL | null {
  const text = variableOf(environment, name);
  if (text === '') return null;
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '') return url;
  throw usageError(`${name} is not the address of an HTTP proxy. Use one such as http://proxy.example.com:3128.`);
}

const variableOf = (environment: Environment, name: string): string =>
  (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  const [, name = entry, entryPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const suffix = name.replace(/^\*?\./, '');
  return host === suffix || host.endsWith(`.${suffix}`);
}
