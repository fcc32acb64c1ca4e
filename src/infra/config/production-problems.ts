import { isIP } from 'node:net';
import { CaptchaConfig, HttpConfig, MetricsConfig, PaymentConfig, RateLimitConfig, SecretsConfig } from './config';
import { isPlaceholder } from './placeholder';

/** The configuration, by class. */
interface Topics {
  get<T extends object>(topic: new () => T): T;
}

/** What production has to say: its defaults are fit for one laptop only. */
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
  if (!config.get(CaptchaConfig).provider) problems.push('CAPTCHA_PROVIDER: choose "altcha" or "none" in production');
  return problems;
}

/** What production must not say; the configuration is complete and each variable right by itself. */
export function unsafeInProduction(config: Topics): string[] {
  const problems = unsafeAddresses(config.get(HttpConfig));
  if (config.get(RateLimitConfig).rateLimitFactor === 0) problems.push('RATE_LIMIT_FACTOR: 0 is refused in production');
  const payment = config.get(PaymentConfig);
  const secrets = {
    ...(payment.provider === 'stripe' && {
      STRIPE_SECRET_KEY: payment.stripeSecretKey,
      STRIPE_WEBHOOK_SECRET: payment.stripeWebhookSecret,
    }),
    METRICS_TOKEN: config.get(MetricsConfig).token,
  };
  for (const [name, value] of Object.entries(secrets)) {
    if (value !== undefined && isPlaceholder(value)) problems.push(`${name}: a placeholder is refused in production`);
  }
  return problems;
}

/** Credentials cross no network in clear; from this machine to itself they cross none. */
function unsafeAddresses({ baseUrl, installBaseUrl, dashboardOrigins }: HttpConfig): string[] {
  const addresses = [
    ['BASE_URL', baseUrl] as const,
    ['INSTALL_BASE_URL', installBaseUrl] as const,
    ...dashboardOrigins.map((origin) => ['DASHBOARD_ORIGINS', origin] as const),
  ];
  return addresses
    .filter(([, url]) => !isHttps(url) && !isLoopback(url))
    .map(([name]) => `${name}: must be https in production; put a proxy that ends TLS in front, and name its address`);
}

const isHttps = (url: string): boolean => url.toLowerCase().startsWith('https:');

function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return /^(.+\.)?localhost\.?$/.test(host) || (isIP(host) !== 0 && /^(127\.|0\.0\.0\.0$|::1?$)/.test(host));
}
