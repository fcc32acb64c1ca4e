import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { StartupError } from '#kernel/errors/startup-error';
import { isOverbroadNetwork } from '#infra/network/public-address';
import {
  CaptchaConfig,
  CdnConfig,
  CONFIG_CLASSES,
  DatabaseConfig,
  HttpConfig,
  MetricsConfig,
  PaymentConfig,
  RuntimeConfig,
  SignUpConfig,
  StorageConfig,
  WebhookConfig,
} from './config';
import { allowedHostProblems } from './problems/allowed-host-problems';
import { cdnProblems } from './problems/cdn-problems';
import { missingInProduction, unsafeInProduction } from './problems/production-problems';
import { storageProblems } from './problems/storage-problems';
import { variablesOf } from './variable';

/**
 * The limits of the default pool (docs/decisions/0098-what-the-planner-and-the-pool-assume.md). A smaller one does not have two connections for
 * each of three organizations; in a larger one, statements wait for the cores.
 */
const [MIN_DEFAULT_POOL, MAX_DEFAULT_POOL] = [7, 10];

type ConfigClass = (typeof CONFIG_CLASSES)[number];
/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The validated configuration, by class: `config.get(HttpConfig)`. */
export class Config {
  constructor(private readonly topics: ReadonlyMap<unknown, object>) {}

  get<T extends object>(topic: new () => T): T {
    return this.topics.get(topic) as T;
  }
}

/** The environment of this process, for a command that proposes its values. Use `loadConfig` for everything else. */
export const processEnvironment = (): Environment => process.env;

/**
 * Reads and validates all environment variables.
 * @param options.needsSecrets whether production must also configure the secrets that `loadSecrets` reads, so that all
 * missing variables are reported together.
 * @throws StartupError that names each invalid variable and its problem, without its value.
 */
export function loadConfig(environment: Environment = process.env, { needsSecrets = false } = {}): Config {
  const problems: string[] = [];
  const topics = new Map<unknown, object>();
  for (const topic of CONFIG_CLASSES) topics.set(topic, loadTopic(topic, environment, problems));
  const config = new Config(topics);
  const production = config.get(RuntimeConfig).environment === 'production';
  if (production) problems.push(...missingInProduction(config, needsSecrets));
  if (problems.length === 0) completeAndCheck(config, production, problems);
  if (problems.length > 0) {
    throw new StartupError(`The configuration is invalid:\n${problems.map((line) => `  - ${line}`).join('\n')}`);
  }
  return config;
}

function loadTopic(topic: ConfigClass, environment: Environment, problems: string[]): object {
  const variables = variablesOf(topic);
  const raw: Record<string, unknown> = {};
  for (const { name, property, default: fallback } of variables) {
    const value = environment[name];
    raw[property] = value === undefined || value === '' ? fallback : value;
  }
  const instance: object = plainToInstance(topic as new () => object, raw, { enableImplicitConversion: false });
  convertNumbers(instance);
  for (const error of validateSync(instance, { skipMissingProperties: false })) {
    const name = variables.find(({ property }) => property === error.property)?.name ?? error.property;
    const reasons = Object.values(error.constraints ?? {}).map((text) => text.replace(error.property, 'it'));
    problems.push(`${name}: ${reasons.join(', ')}`);
  }
  return instance;
}

/** Converts decimal strings to numbers where the property is declared as a number. */
function convertNumbers(instance: object): void {
  for (const [property, value] of Object.entries(instance)) {
    const type: unknown = Reflect.getMetadata('design:type', instance, property);
    if (type === Number && typeof value === 'string') {
      Object.assign(instance, { [property]: /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN });
    }
  }
}

/** Sets defaults that depend on other variables, and checks combinations of variables. */
function completeAndCheck(config: Config, production: boolean, problems: string[]): void {
  const http = config.get(HttpConfig);
  completeHttp(http, production, problems);
  if (http.port !== 0 && http.port === config.get(MetricsConfig).port) {
    problems.push('METRICS_PORT: must differ from PORT');
  }
  const database = config.get(DatabaseConfig);
  database.poolSize ??= Math.max(MIN_DEFAULT_POOL, Math.min(MAX_DEFAULT_POOL, 2 * availableParallelism() + 1));
  if (database.ownerUrl && !database.url) {
    problems.push('DATABASE_OWNER_URL: requires DATABASE_URL, with the role of the service');
  }
  config.get(CaptchaConfig).provider ??= 'none';
  config.get(SignUpConfig).signUp ??= 'open';
  const storage = config.get(StorageConfig);
  storage.s3ForcePathStyle ??= storage.s3Endpoint !== undefined;
  problems.push(...storageProblems(storage, production));
  const cdn = config.get(CdnConfig);
  cdn.url = cdn.url && trimmed(cdn.url);
  problems.push(...cdnProblems(cdn, storage, production));
  const { allowedHosts } = config.get(WebhookConfig);
  problems.push(...allowedHostProblems('WEBHOOK_ALLOWED_HOSTS', allowedHosts, { production, theirs: 'the receivers' }));
  completePayment(config.get(PaymentConfig), problems);
  if (production) problems.push(...unsafeInProduction(config));
}

const trimmed = (url: string): string => url.replace(/\/+$/, '');

function completeHttp(http: HttpConfig, production: boolean, problems: string[]): void {
  http.baseUrl = trimmed(http.baseUrl ?? `http://localhost:${http.port}`);
  http.installBaseUrl = trimmed(http.installBaseUrl ?? http.baseUrl);
  http.shutdownDrainMs ??= production ? 5000 : 0;
  if (!production) http.host ??= '127.0.0.1';
  if (!http.trustProxy.every(isNetwork)) {
    problems.push(
      'TRUST_PROXY: must list the addresses or networks of your proxies. Trusting all lets clients forge their address',
    );
  }
}

function completePayment(payment: PaymentConfig, problems: string[]): void {
  if (payment.provider !== 'stripe') return;
  if (!payment.stripeSecretKey) problems.push('STRIPE_SECRET_KEY: required with PAYMENT_PROVIDER=stripe');
  if (!payment.stripeWebhookSecret) problems.push('STRIPE_WEBHOOK_SECRET: required with PAYMENT_PROVIDER=stripe');
}

/** Whether `proxy` is an address, a network that is not overbroad, or one of Express's names for local networks. */
function isNetwork(proxy: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(proxy)) return true;
  const [address = '', prefix] = proxy.split('/');
  return isIP(address) !== 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && !isOverbroadNetwork(proxy)));
}
