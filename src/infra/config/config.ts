import { resolve } from 'node:path';
import { Transform } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { MetricsConfig, TracingConfig } from './observability-config';
import { Variable } from './variable';

export { MetricsConfig, TracingConfig } from './observability-config';

const LOCAL_URL = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };
const POSTGRES_URL = {
  protocols: ['postgres', 'postgresql'],
  require_tld: false,
  require_protocol: true,
  require_host: true,
};
const list = ({ value }: { value: unknown }): string[] =>
  typeof value === 'string' && value !== '' ? value.split(',').map((part) => part.trim()) : [];
const flag = ({ value }: { value: unknown }): unknown => (value === 'true' ? true : value === 'false' ? false : value);

/** Where the service listens and how it is reached. */
export class HttpConfig {
  @Variable('PORT', { default: '3000', describe: 'Port to listen on.' })
  @IsInt()
  @Min(0)
  @Max(65535)
  port: number;

  @Variable('BASE_URL', { describe: 'How clients reach the API. Default: http://localhost:$PORT.' })
  @IsOptional()
  @IsUrl(LOCAL_URL)
  baseUrl: string;

  @Variable('INSTALL_BASE_URL', {
    describe: 'How testers reach install pages; every link is built from it. Default: BASE_URL.',
  })
  @IsOptional()
  @IsUrl(LOCAL_URL)
  installBaseUrl: string;

  @Variable('TRUST_PROXY', { describe: 'Comma-separated addresses or networks of reverse proxies. Never "true".' })
  @Transform(list)
  @IsArray()
  @IsString({ each: true })
  trustProxy: string[];

  @Variable('DASHBOARD_ORIGINS', { describe: 'Comma-separated browser origins that may use the cookie and CORS.' })
  @Transform(list)
  @IsArray()
  @IsUrl({ ...LOCAL_URL, allow_query_components: false }, { each: true })
  dashboardOrigins: string[];

  @Variable('SHUTDOWN_DRAIN_MS', {
    describe: 'How long /ready says no before the listener closes. Default: 5000 in production, else 0.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(600_000)
  shutdownDrainMs: number;

  @Variable('SHUTDOWN_LIMIT_MS', {
    default: '30000',
    describe: 'How long a stop, after the drain, waits for requests in flight: the longest upload it lets finish.',
  })
  @IsInt()
  @Min(0)
  @Max(86_400_000)
  shutdownLimitMs: number;
}

/** What runs in this process and where its data lives. */
export class RuntimeConfig {
  @Variable('NODE_ENV', { default: 'development', describe: '"production" refuses unsafe values.' })
  @IsIn(['development', 'test', 'production'])
  environment: 'development' | 'test' | 'production';

  @Variable('ROLE', { default: 'all', describe: '"api" serves HTTP, "worker" runs jobs, "all" does both.' })
  @IsIn(['all', 'api', 'worker'])
  role: 'all' | 'api' | 'worker';

  @Variable('DATA_DIR', {
    default: './data',
    describe: 'Everything the embedded defaults keep: database, artifacts, keys, mail.',
  })
  @Transform(({ value }) => resolve(String(value)))
  @IsString()
  dataDirectory: string;

  @Variable('LOG_LEVEL', { default: 'info', describe: 'How much is logged.' })
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  logLevel: string;

  @Variable('LOG_FORMAT', { describe: '"json" or "pretty". Default: pretty on a terminal outside production.' })
  @IsOptional()
  @IsIn(['json', 'pretty'])
  logFormat: 'json' | 'pretty' | undefined;
}

export class DatabaseConfig {
  @Variable('DATABASE_URL', {
    secret: true,
    describe: 'PostgreSQL 15 or later, as the role that the service runs as. Default: an embedded server in DATA_DIR.',
  })
  @IsOptional()
  @IsUrl(POSTGRES_URL)
  url: string | undefined;

  @Variable('DATABASE_OWNER_URL', {
    secret: true,
    describe:
      'The same database as the role that owns the schema. Migrations run as it, and give the role of DATABASE_URL the least ' +
      'privileges. Default: one role does both.',
  })
  @IsOptional()
  @IsUrl(POSTGRES_URL)
  ownerUrl: string | undefined;

  @Variable('DATABASE_POOL_SIZE', { default: '10', describe: 'Connections of this process.' })
  @IsInt()
  @Min(2)
  @Max(200)
  poolSize: number;

  @Variable('MIGRATE_ON_START', { default: 'true', describe: 'Run pending migrations at start, under a lock.' })
  @Transform(flag)
  @IsBoolean()
  migrateOnStart: boolean;
}

export class MailConfig {
  @Variable('MAIL_URL', {
    secret: true,
    describe:
      'smtp:// or smtps:// server. Default: each mail is a file in DATA_DIR/mail; its link is a log line outside production.',
  })
  @IsOptional()
  @IsUrl({ protocols: ['smtp', 'smtps'], require_tld: false, require_protocol: true })
  url: string | undefined;

  @Variable('MAIL_FROM', { default: 'Agate <agate@localhost>', describe: 'Sender of every mail.' })
  @IsString()
  from: string;
}

/** Keys and secrets. Made in DATA_DIR on a first start outside production; required in production. */
export class SecretsConfig {
  @Variable('JWT_PRIVATE_KEYS_FILE', {
    describe: 'PEM file of RSA private keys, 2048 bits or more; the first signs, all verify.',
  })
  @IsOptional()
  @IsString()
  jwtPrivateKeysFile: string | undefined;

  @Variable('MASTER_KEYS', {
    secret: true,
    describe: 'Comma-separated id:base64 of 32-byte keys that seal secrets at rest; the first is current.',
  })
  @IsOptional()
  @IsString()
  masterKeys: string | undefined;

  @Variable('PASSWORD_PEPPER', {
    secret: true,
    describe: 'Base64 of 32 or more bytes mixed into password hashes and digests of addresses. Never change it.',
  })
  @IsOptional()
  @IsString()
  passwordPepper: string | undefined;

  @Variable('REFRESH_REUSE_LEEWAY_SECONDS', {
    default: '10',
    describe: 'How long the predecessor of a refresh token is answered a plain 401 instead of ending the session.',
  })
  @IsInt()
  @Min(0)
  @Max(60)
  refreshReuseLeewaySeconds: number;
}

/** Where artifacts are, and how they get to those who download them. */
export class StorageConfig {
  @Variable('STORAGE_PROVIDER', {
    default: 'local',
    describe: 'Where hosted artifacts are kept: "local" (in DATA_DIR), "s3" or "azure".',
  })
  @IsIn(['local', 's3', 'azure'])
  provider: 'local' | 's3' | 'azure';

  @Variable('S3_ENDPOINT', { describe: 'Address of a store that speaks S3. Default: Amazon, in S3_REGION.' })
  @IsOptional()
  @IsUrl(LOCAL_URL)
  s3Endpoint: string | undefined;

  @Variable('S3_REGION', { default: 'us-east-1', describe: 'Region of the bucket.' })
  @Matches(/^[a-z0-9-]{1,64}$/i)
  s3Region: string;

  @Variable('S3_BUCKET', { describe: 'Bucket that is for Agate alone. Required with STORAGE_PROVIDER=s3.' })
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9._-]{1,62}$/i)
  s3Bucket: string | undefined;

  @Variable('S3_ACCESS_KEY_ID', { describe: 'Access key. Required with STORAGE_PROVIDER=s3.' })
  @IsOptional()
  @IsString()
  s3AccessKeyId: string | undefined;

  @Variable('S3_SECRET_ACCESS_KEY', {
    secret: true,
    describe: 'The secret of the access key. Required with STORAGE_PROVIDER=s3.',
  })
  @IsOptional()
  @IsString()
  s3SecretAccessKey: string | undefined;

  @Variable('S3_FORCE_PATH_STYLE', {
    describe:
      '"true": the bucket stands in the path, not in the host name. Default: true with S3_ENDPOINT, false without.',
  })
  @Transform(flag)
  @IsOptional()
  @IsBoolean()
  s3ForcePathStyle: boolean;

  @Variable('AZURE_STORAGE_CONNECTION_STRING', {
    secret: true,
    describe: 'Of the storage account, with its key. Required with STORAGE_PROVIDER=azure.',
  })
  @IsOptional()
  @IsString()
  azureConnectionString: string | undefined;

  @Variable('AZURE_STORAGE_CONTAINER', {
    describe: 'Container that is for Agate alone. Required with STORAGE_PROVIDER=azure.',
  })
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/)
  azureContainer: string | undefined;

  @Variable('DOWNLOAD_DELIVERY', {
    default: 'auto',
    describe:
      '"redirect": a download is redirected to the store, where it can sign; "stream": it goes through here; "auto": redirect.',
  })
  @IsIn(['auto', 'redirect', 'stream'])
  downloadDelivery: 'auto' | 'redirect' | 'stream';

  @Variable('BYOSA_ALLOWED_HOSTS', {
    describe:
      "Comma-separated hosts, addresses or networks where customers' stores may be, though not public or without https.",
  })
  @Transform(list)
  @IsArray()
  @IsString({ each: true })
  byosaAllowedHosts: string[];

  @Variable('MAX_UPLOAD_BYTES', {
    default: '2147483648',
    describe: 'Largest artifact, at most 80 GB; above it payload_too_large.',
  })
  @IsInt()
  @Min(1)
  @Max(80_000_000_000)
  maxUploadBytes: number;
}

/** What keeps scripts from signing up. */
export class CaptchaConfig {
  @Variable('CAPTCHA_PROVIDER', {
    describe: '"none", or "altcha": proof of work, self-hosted. Default: none; production must choose.',
  })
  @IsOptional()
  @IsIn(['none', 'altcha'])
  provider: 'none' | 'altcha';
}

/** How often somebody may ask (contract §15). */
export class RateLimitConfig {
  @Variable('RATE_LIMIT_FACTOR', {
    default: '1',
    describe: 'Multiplies every rate limit; 0 turns limiting off (not in production).',
  })
  @IsNumber()
  @Min(0)
  rateLimitFactor: number;

  @Variable('REDIS_URL', {
    secret: true,
    describe: 'Where several processes share their rate-limit counters. Default: each counts in its memory.',
  })
  @IsOptional()
  @IsUrl({ protocols: ['redis', 'rediss'], require_tld: false, require_protocol: true })
  redisUrl: string | undefined;

  @Variable('MAX_STORED_ANSWER_BYTES', {
    default: String(64 * 1024 * 1024),
    describe:
      'What answers to Idempotency-Keys may take that are kept, for a day, for one developer or project; 429 above.',
  })
  @IsInt()
  @Min(1)
  storedResponseBytes: number;
}

/** How much one owner may have; `400 quota_exceeded` above. */
export class QuotaConfig {
  @Variable('MAX_ORGANIZATIONS_PER_DEVELOPER', { default: '20', describe: 'Organizations a developer may belong to.' })
  @IsInt()
  @Min(1)
  organizationsPerDeveloper: number;

  @Variable('QUOTA_PROJECTS_PER_ORGANIZATION', { default: '1000', describe: 'Projects of an organization.' })
  @IsInt()
  @Min(0)
  projectsPerOrganization: number;

  @Variable('QUOTA_CHANNELS_PER_PROJECT', { default: '50', describe: 'Channels of a project.' })
  @IsInt()
  @Min(0)
  channelsPerProject: number;

  @Variable('QUOTA_MEMBERS_PER_ORGANIZATION', { default: '1000', describe: 'Members of an organization.' })
  @IsInt()
  @Min(0)
  membersPerOrganization: number;

  @Variable('QUOTA_TESTERS_PER_PROJECT', { default: '100000', describe: 'Testers of a project.' })
  @IsInt()
  @Min(0)
  testersPerProject: number;

  @Variable('QUOTA_TOKENS_PER_PROJECT', { default: '100', describe: 'Living project access tokens of a project.' })
  @IsInt()
  @Min(0)
  tokensPerProject: number;

  @Variable('QUOTA_PATS_PER_DEVELOPER', { default: '50', describe: 'Living personal access tokens of a developer.' })
  @IsInt()
  @Min(0)
  patsPerDeveloper: number;

  @Variable('QUOTA_OPEN_UPLOADS_PER_PROJECT', { default: '100', describe: 'Resumable uploads of a project at once.' })
  @IsInt()
  @Min(0)
  openUploadsPerProject: number;

  @Variable('MAX_OPEN_RESERVATIONS', {
    default: '100',
    describe: 'Open reservations that one developer, project (by its tokens), tester or install link may hold.',
  })
  @IsInt()
  @Min(1)
  openReservations: number;
}

/** A sum that is given as micro-dollars: whole, and exact as a JSON number. */
const MicroUsd = (): PropertyDecorator => (target, property) => {
  IsInt()(target, property);
  Min(0)(target, property);
  Max(Number.MAX_SAFE_INTEGER)(target, property);
};

/** What things cost, and how credit is bought. Sums in micro-dollars: 1000000 are a dollar. */
export class BillingConfig {
  @Variable('TRIAL_CREDIT_MICRO_USD', {
    default: '5000000',
    describe: 'Credit of a new organization, in micro-dollars, after its first fee.',
  })
  @MicroUsd()
  trialCreditMicroUsd: number;

  @Variable('PRICE_STORAGE_MB_MONTH_MICRO_USD', {
    default: '100',
    describe: 'Micro-dollars for keeping a MB (1000000 bytes) for a month.',
  })
  @MicroUsd()
  storagePriceMicroUsd: number;

  @Variable('PRICE_UPLOAD_MB_MICRO_USD', { default: '20', describe: 'Micro-dollars for each MB uploaded.' })
  @MicroUsd()
  uploadPriceMicroUsd: number;

  @Variable('PRICE_DOWNLOAD_MB_MICRO_USD', { default: '120', describe: 'Micro-dollars for each MB downloaded.' })
  @MicroUsd()
  downloadPriceMicroUsd: number;
}

/** Who takes the money for top-ups. */
export class PaymentConfig {
  @Variable('PAYMENT_PROVIDER', {
    default: 'manual',
    describe: '"manual": an operator approves top-ups. "stripe": they are paid through Stripe Checkout.',
  })
  @IsIn(['manual', 'stripe'])
  provider: 'manual' | 'stripe';

  @Variable('STRIPE_SECRET_KEY', { secret: true, describe: 'Secret key of the Stripe account.' })
  @IsOptional()
  @IsString()
  stripeSecretKey: string | undefined;

  @Variable('STRIPE_WEBHOOK_SECRET', {
    secret: true,
    describe: 'Signing secret of the webhook that Stripe calls at /api/v1/billing/webhooks/stripe.',
  })
  @IsOptional()
  @IsString()
  stripeWebhookSecret: string | undefined;

  @Variable('STRIPE_API_BASE', {
    default: 'https://api.stripe.com',
    describe: 'Where the API of Stripe is; for tests.',
  })
  @IsUrl(LOCAL_URL)
  stripeApiBase: string;

  @Variable('STRIPE_RETURN_URL', { describe: 'Where Stripe sends the payer back to. Default: BASE_URL.' })
  @IsOptional()
  @IsUrl(LOCAL_URL)
  stripeReturnUrl: string;

  /** What Stripe's client wants, once the start has seen that it is there. */
  get stripe(): { secretKey: string; webhookSecret: string; apiBase: string; returnUrl: string } {
    return {
      secretKey: this.stripeSecretKey ?? '',
      webhookSecret: this.stripeWebhookSecret ?? '',
      apiBase: this.stripeApiBase,
      returnUrl: this.stripeReturnUrl,
    };
  }
}

/** The whole configuration, validated once at start. One class per topic; inject the topic, not the whole. */
export const CONFIG_CLASSES = [
  RuntimeConfig,
  HttpConfig,
  DatabaseConfig,
  MailConfig,
  SecretsConfig,
  StorageConfig,
  CaptchaConfig,
  RateLimitConfig,
  QuotaConfig,
  BillingConfig,
  PaymentConfig,
  MetricsConfig,
  TracingConfig,
] as const;
