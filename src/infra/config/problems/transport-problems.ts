import { isIP } from 'node:net';

/** Values of `sslmode` that the driver knows. It would ignore another one and connect without TLS. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/**
 * Problems with the connections to PostgreSQL and Redis in production. Off this host, their TLS must be chosen: passwords, addresses and
 * tokens pass through them. `sslmode=disable` accepts a network that only this service can read, such as that of containers on one machine.
 */
export function transportProblems({
  databaseUrls,
  redisUrl,
}: {
  /** By the names of their variables. */
  readonly databaseUrls: Readonly<Record<string, string | undefined>>;
  readonly redisUrl: string | undefined;
}): string[] {
  const problems = Object.entries(databaseUrls)
    .filter(([, url]) => url !== undefined && !isLocal(url) && !choosesTls(url))
    .map(
      ([name]) =>
        `${name}: add sslmode=verify-full (or require, or no-verify) for a database on another host, or sslmode=disable if only trusted machines can read the network`,
    );
  if (redisUrl !== undefined && !isLocal(redisUrl)) problems.push(...redisProblems(new URL(redisUrl)));
  return problems;
}

function redisProblems({ protocol, password, searchParams }: URL): string[] {
  const problems: string[] = [];
  if (protocol !== 'rediss:' && searchParams.get('sslmode') !== 'disable')
    problems.push(
      'REDIS_URL: use rediss:// for a Redis on another host, or add sslmode=disable if only trusted machines can read the network',
    );
  if (password === '') problems.push('REDIS_URL: must contain a password for a Redis on another host');
  return problems;
}

function choosesTls(url: string): boolean {
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode');
  return mode === null ? ['true', '1'].includes(searchParams.get('ssl') ?? '') : SSL_MODES.includes(mode);
}

/** Whether a URL names this host: a loopback address or a Unix socket. In a URL of PostgreSQL, the parameter `host` wins. */
function isLocal(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const host = (searchParams.get('host') ?? hostname).replace(/^\[|\]$/g, '').toLowerCase();
  return host.startsWith('/') || /^(.+\.)?localhost\.?$/.test(host) || (isIP(host) !== 0 && /^(127\.|::1$)/.test(host));
}
