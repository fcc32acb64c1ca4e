import { resolve } from 'node:path';
import { Transform } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsIP, IsOptional, IsString, IsUrl, Matches, Max, Min } from 'class-validator';
import { BillingConfig, PaymentConfig } from './sections/billing-config';
import { MetricsConfig, TracingConfig } from './sections/observability-config';
import { QuotaConfig, RateLimitConfig, UploadConfig } from './sections/limits-config';
import { RetentionConfig } from './sections/retention-config';
import { SignUpConfig } from './sections/sign-up-config';
import { Variable } from './variable';

export { BillingConfig, PaymentConfig } from './sections/billing-config';
export { MetricsConfig, TracingConfig } from './sections/observability-config';
export { QuotaConfig, RateLimitConfig, UploadConfig } from './sections/limits-config';
export { RetentionConfig } from './sections/retention-config';
export { SignUpConfig } from './sections/sign-up-config';

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

/** HTTP server and public URLs. */
export class HttpConfig {
  @Variable('PORT', { default: '3000', describe: 'Port to listen on.' })
  @IsInt()
  @Min(0)
  @Max(65535)
  port: number;

  @Variable('HOST', {
    describe:
      'Address to listen on, such as 0.0.0.0 for all. Default: all addresses in production, else 127.0.0.1, which only this machine reaches.',
  })
  @IsOptional()
  @IsIP()
  host: string | undefined;

  @Variable('BASE_URL', { describe: 'Public URL of the API. Default: http://localhost:$PORT.' })
  @IsOptional()
  @IsUrl(LOCAL_URL)
  baseUrl: string;

  @Variable('INSTALL_BASE_URL', {
    describe: 'Public URL of install pages, used in every link to testers. Default: BASE_URL.',
  })
  @IsOptional()
  @IsUrl(LOCAL_URL)
  installBaseUrl: string;

  @Variable('TRUST_PROXY', {
    describe:
      'Comma-separated addresses or networks of the reverse proxies whose X-Forwarded-For is trusted. "true" is rejected.',
  })
  @Transform(list)
  @IsArray()
  @IsString({ each: true })
  trustProxy: string[];

  @Variable('DASHBOARD_ORIGINS', {
    describe: 'Comma-separated browser origins that may use the session cookie and CORS.',
  })
  @Transform(list)
  @IsArray()
  @IsUrl({ ...LOCAL_URL, allow_query_components: false }, { each: true })
  dashboardOrigins: string[];

  @Variable('DASHBOARD', {
    default: 'true',
    describe:
      '"false": the dashboard is not served, and no page links to it. It is not served either when BASE_URL has a path.',
  })
  @Transform(flag)
  @IsBoolean()
  dashboard: boolean;

  @Variable('DOCS', {
    default: 'on',
    describe: '"off": the OpenAPI document and Swagger UI are not served.',
  })
  @IsIn(['on', 'off'])
  docs: 'on' | 'off';

  @Variable('SHUTDOWN_DRAIN_MS', {
    describe:
      'Milliseconds during which /ready fails at shutdown before the server stops listening. Default: 5000 in production, else 0.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(600_000)
  shutdownDrainMs: number;

  @Variable('SHUTDOWN_LIMIT_MS', {
    default: '30000',
    describe: 'Milliseconds to wait for requests in flight after the drain. Longer uploads are cut off at shutdown.',
  })
  @IsInt()
  @Min(0)
  @Max(86_400_000)
  shutdownLimitMs: number;

  /** Whether the dashboard is served: at the root of `BASE_URL`, so never when `BASE_URL` has a path. */
  get servesDashboard(): boolean {
    return this.dashboard && new URL(this.baseUrl).pathname === '/';
  }
}

/** Role of the process, data directory and logging. */
export class RuntimeConfig {
  @Variable('NODE_ENV', { default: 'development', describe: '"production" rejects unsafe values.' })
  @IsIn(['development', 'test', 'production'])
  environment: 'development' | 'test' | 'production';

  @Variable('ROLE', { default: 'all', describe: '"api" serves HTTP, "worker" runs jobs, "all" does both.' })
  @IsIn(['all', 'api', 'worker'])
  role: 'all' | 'api' | 'worker';

  @Variable('DATA_DIR', {
    default: './data',
    describe: 'Directory of the embedded defaults: database, artifacts, keys and mail.',
  })
  @Transform(({ value }) => resolve(String(value)))
  @IsString()
  dataDirectory: string;

  @Variable('LOG_LEVEL', { default: 'info', describe: 'Minimum level of log lines.' })
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  logLevel: string;

  @Variable('LOG_FORMAT', {
    describe: '"json" or "pretty". Default: "pretty" on a terminal outside production, else "json".',
  })
  @IsOptional()
  @IsIn(['json', 'pretty'])
  logFormat: 'json' | 'pretty' | undefined;
}

export class DatabaseConfig {
  @Variable('DATABASE_URL', {
    secret: true,
    describe: 'URL of a PostgreSQL 15 or later, with the role of the service. Default: an embedded server in DATA_DIR.',
  })
  @IsOptional()
  @IsUrl(POSTGRES_URL)
  url: string | undefined;

  @Variable('DATABASE_OWNER_URL', {
    secret: true,
    describe:
      'URL of the same database with the role that owns the schema. Migrations use it, and grant the role of DATABASE_URL only ' +
      'the privileges that it needs. Default: DATABASE_URL, so that one role does both.',
  })
  @IsOptional()
  @IsUrl(POSTGRES_URL)
  ownerUrl: string | undefined;

  @Variable('DATABASE_POOL_SIZE', {
    default: '10',
    describe: 'Maximum number of database connections of this process.',
  })
  @IsInt()
  @Min(2)
  @Max(200)
  poolSize: number;

  @Variable('DATABASE_PREPARE', {
    default: 'true',
    describe:
      'Prepare frequent statements. Set it to false behind a pooler that does not support prepared statements, such as PgBouncer before 1.21 in transaction mode.',
  })
  @Transform(flag)
  @IsBoolean()
  prepare: boolean;

  @Variable('MIGRATE_ON_START', {
    default: 'true',
    describe: 'Run pending migrations at start. Concurrent starts wait for each other.',
  })
  @Transform(flag)
  @IsBoolean()
  migrateOnStart: boolean;
}

export class MailConfig {
  @Variable('MAIL_URL', {
    secret: true,
    describe:
      'URL of the mail server (smtp:// or smtps://). Default: each mail is written to a file in DATA_DIR/mail and, outside production, its link is logged.',
  })
  @IsOptional()
  @IsUrl({ protocols: ['smtp', 'smtps'], require_tld: false, require_protocol: true })
  url: string | undefined;

  @Variable('MAX_MAILS_PER_ORGANIZATION_PER_DAY', {
    default: '10000',
    describe:
      'Maximum mails to testers that an organization sends within a day (UTC), at most 200 while it has only trial credit. Further mails wait.',
  })
  @IsInt()
  @Min(1)
  maxPerOrganizationPerDay: number;

  @Variable('MAIL_FROM', { default: 'Agate <agate@localhost>', describe: 'Sender of every mail.' })
  @IsString()
  from: string;
}

/** Keys and secrets. Outside production, missing ones are generated in DATA_DIR; in production they are required. */
export class SecretsConfig {
  @Variable('JWT_PRIVATE_KEYS_FILE', {
    describe: 'PEM file of RSA private keys of at least 2048 bits. The first key signs tokens; all keys verify.',
  })
  @IsOptional()
  @IsString()
  jwtPrivateKeysFile: string | undefined;

  @Variable('MASTER_KEYS', {
    secret: true,
    describe:
      'Comma-separated id:base64 of 32-byte keys that encrypt secrets at rest. The first key encrypts; all keys decrypt.',
  })
  @IsOptional()
  @IsString()
  masterKeys: string | undefined;

  @Variable('PASSWORD_PEPPER', {
    secret: true,
    describe: 'Base64 of at least 32 bytes, used in password hashes and digests of addresses. Never change it.',
  })
  @IsOptional()
  @IsString()
  passwordPepper: string | undefined;

  @Variable('REFRESH_REUSE_LEEWAY_SECONDS', {
    default: '10',
    describe: 'Seconds during which reusing a rotated refresh token responds with 401 without ending the session.',
  })
  @IsInt()
  @Min(0)
  @Max(60)
  refreshReuseLeewaySeconds: number;
}

/** Where artifacts are stored and how they are downloaded. */
export class StorageConfig {
  @Variable('STORAGE_PROVIDER', {
    default: 'local',
    describe: 'Where hosted artifacts are stored: "local" (in DATA_DIR), "s3" or "azure".',
  })
  @IsIn(['local', 's3', 'azure'])
  provider: 'local' | 's3' | 'azure';

  @Variable('S3_ENDPOINT', { describe: 'URL of an S3-compatible store. Default: Amazon S3 in S3_REGION.' })
  @IsOptional()
  @IsUrl(LOCAL_URL)
  s3Endpoint: string | undefined;

  @Variable('S3_REGION', { default: 'us-east-1', describe: 'Region of the bucket.' })
  @Matches(/^[a-z0-9-]{1,64}$/i)
  s3Region: string;

  @Variable('S3_BUCKET', { describe: 'Bucket that only Agate uses. Required with STORAGE_PROVIDER=s3.' })
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9._-]{1,62}$/i)
  s3Bucket: string | undefined;

  @Variable('S3_ACCESS_KEY_ID', { describe: 'Access key id. Required with STORAGE_PROVIDER=s3.' })
  @IsOptional()
  @IsString()
  s3AccessKeyId: string | undefined;

  @Variable('S3_SECRET_ACCESS_KEY', {
    secret: true,
    describe: 'Secret of the access key. Required with STORAGE_PROVIDER=s3.',
  })
  @IsOptional()
  @IsString()
  s3SecretAccessKey: string | undefined;

  @Variable('S3_FORCE_PATH_STYLE', {
    describe:
      '"true" puts the bucket into the path instead of the host name. Default: true with S3_ENDPOINT, else false.',
  })
  @Transform(flag)
  @IsOptional()
  @IsBoolean()
  s3ForcePathStyle: boolean;

  @Variable('AZURE_STORAGE_CONNECTION_STRING', {
    secret: true,
    describe: 'Connection string of the storage account, with its AccountKey. Required with STORAGE_PROVIDER=azure.',
  })
  @IsOptional()
  @IsString()
  azureConnectionString: string | undefined;

  @Variable('AZURE_STORAGE_CONTAINER', {
    describe: 'Container that only Agate uses. Required with STORAGE_PROVIDER=azure.',
  })
  @IsOptional()
  @Matches(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/)
  azureContainer: string | undefined;

  @Variable('STORAGE_MOVED', {
    default: 'false',
    describe:
      '"true" says that the artifacts were copied into the store that the variables name. Without it, a start with another store than the one of the builds is rejected.',
  })
  @Transform(flag)
  @IsBoolean()
  moved: boolean;

  @Variable('DOWNLOAD_DELIVERY', {
    default: 'auto',
    describe:
      '"redirect": downloads are redirected to a signed URL of the store, if it can sign; "stream": they pass through the service; "auto": like "redirect", except when a client resumes with If-Range.',
  })
  @IsIn(['auto', 'redirect', 'stream'])
  downloadDelivery: 'auto' | 'redirect' | 'stream';

  @Variable('BYOSA_ALLOWED_HOSTS', {
    describe:
      "Comma-separated hosts, addresses or networks where customers' stores may be although they are private or lack https.",
  })
  @Transform(list)
  @IsArray()
  @IsString({ each: true })
  byosaAllowedHosts: string[];
}

/** Protection of sign-up against scripts. */
export class CaptchaConfig {
  @Variable('CAPTCHA_PROVIDER', {
    describe: '"altcha" (self-hosted proof of work) or "none". Default: "none"; required in production.',
  })
  @IsOptional()
  @IsIn(['none', 'altcha'])
  provider: 'none' | 'altcha';
}

/** All configuration classes, one per topic. Inject the class of a topic, not `Config`. */
export const CONFIG_CLASSES = [
  RuntimeConfig,
  HttpConfig,
  DatabaseConfig,
  MailConfig,
  SecretsConfig,
  StorageConfig,
  UploadConfig,
  CaptchaConfig,
  SignUpConfig,
  RateLimitConfig,
  RetentionConfig,
  QuotaConfig,
  BillingConfig,
  PaymentConfig,
  MetricsConfig,
  TracingConfig,
] as const;
