import { isIP } from 'node:net';
import {
  CaptchaConfig,
  DatabaseConfig,
  HttpConfig,
  MetricsConfig,
  PaymentConfig,
  RateLimitConfig,
  SecretsConfig,
  SignUpConfig,
} from '../config';
import { isPlaceholder } from './placeholder';

/** The configuration, by class. (A type of its own avoids an import cycle with load-config.) */
interface Topics {
  get<T extends object>(topic: new () => T): T;
}

/** Problems with variables that production requires: their defaults suit only a single development machine. */
export function missingInProduction(config: Topics, needsSecrets: boolean): string[] {
  const { jwtPrivateKeysFile, masterKeys, passwordPepper } = config.get(SecretsConfig);
  const secrets = {
    JWT_PRIVATE_KEYS_FILE: jwtPrivateKeysFile,
    MASTER_KEYS: masterKeys,
    PASSWORD_PEPPER: passwordPepper,
  };
  const required = { BASE_URL: config.get(HttpConfig).baseUrl, ...(needsSecrets && secrets) };
  const problems = Object.entries(required)
    .filter(([, value]) => !value)
    .map(([name]) => `${name}: required in production`);
  if (!config.get(CaptchaConfig).provider)
    problems.push('CAPTCHA_PROVIDER: required in production. Set "altcha" or "none"');
  if (!config.get(SignUpConfig).signUp)
    problems.push('SIGN_UP: required in production. Set "open", "invited", "closed" or a list of e-mail domains');
  return problems;
}

/** Problems with values that are valid but unsafe in production. */
export function unsafeInProduction(config: Topics): string[] {
  const problems = unsafeAddresses(config.get(HttpConfig));
  if (config.get(RateLimitConfig).rateLimitFactor === 0)
    problems.push('RATE_LIMIT_FACTOR: 0 is rejected in production');
  const { url, ownerUrl } = config.get(DatabaseConfig);
  const databaseUrls = { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl };
  problems.push(...transportProblems({ databaseUrls, redisUrl: config.get(RateLimitConfig).redisUrl }));
  const payment = config.get(PaymentConfig);
  const secrets = {
    ...(payment.provider === 'stripe' && {
      STRIPE_SECRET_KEY: payment.stripeSecretKey,
      STRIPE_WEBHOOK_SECRET: payment.stripeWebhookSecret,
    }),
    METRICS_TOKEN: config.get(MetricsConfig).token,
  };
  for (const [name, value] of Object.entries(secrets)) {
    if (value !== undefined && isPlaceholder(value)) problems.push(`${name}: a placeholder is rejected in production`);
  }
  return problems;
}

/** URLs must use https, so that credentials are never sent in clear text. Loopback URLs are exempt. */
function unsafeAddresses({ baseUrl, installBaseUrl, dashboardOrigins }: HttpConfig): string[] {
  const addresses = [
    ['BASE_URL', baseUrl] as const,
    ['INSTALL_BASE_URL', installBaseUrl] as const,
    ...dashboardOrigins.map((origin) => ['DASHBOARD_ORIGINS', origin] as const),
  ];
  return addresses
    .filter(([, url]) => !isHttps(url) && !isLoopback(url))
    .map(
      ([name]) =>
        `${name}: must use https in production. Put a proxy that terminates TLS in front of the service, and set its URL`,
    );
}

const isHttps = (url: string): boolean => url.toLowerCase().startsWith('https:');

function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return /^(.+\.)?localhost\.?$/.test(host) || (isIP(host) !== 0 && /^(127\.|0\.0\.0\.0$|::1?$)/.test(host));
}

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
  /** The URLs, by the names of their variables. */
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
  const host = searchParams.get('host') ?? hostname;
  return host.startsWith('/') || isLocalHost(host);
}

/** Whether the host name of a URL names this host. */
export function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return /^(.+\.)?localhost\.?$/.test(host) || (isIP(host) !== 0 && /^(127\.|::1$)/.test(host));
}
