import { resolve } from 'node:path';
import { Transform } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, IsUrl, Max, Min } from 'class-validator';
import { Variable } from './variable';

const LOCAL_URL = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };
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

  @Variable('RATE_LIMIT_FACTOR', {
    default: '1',
    describe: 'Multiplies every rate limit; 0 turns limiting off (not in production).',
  })
  @IsNumber()
  @Min(0)
  rateLimitFactor: number;

  @Variable('SHUTDOWN_DRAIN_MS', {
    describe: 'How long /ready says no before the listener closes. Default: 5000 in production, else 0.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(600_000)
  shutdownDrainMs: number;
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
    describe: 'PostgreSQL 15 or later. Default: an embedded server in DATA_DIR.',
  })
  @IsOptional()
  @IsUrl({ protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true, require_host: true })
  url: string | undefined;

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
    describe: 'smtp:// or smtps:// server. Default: each mail is a file in DATA_DIR/mail.',
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
    describe: 'Base64 of 32 or more bytes mixed into every password hash. Never change it.',
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

export class StorageConfig {
  @Variable('STORAGE_PROVIDER', { default: 'local', describe: 'Where hosted artifacts are kept.' })
  @IsIn(['local'])
  provider: 'local';

  @Variable('MAX_UPLOAD_BYTES', { default: '2147483648', describe: 'Largest artifact; above it payload_too_large.' })
  @IsInt()
  @Min(1)
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

  @Variable('QUOTA_MEMBERS_PER_ORGANIZATION', { default: '1000', describe: 'Members of an organization.' })
  @IsInt()
  @Min(0)
  membersPerOrganization: number;

  @Variable('QUOTA_TOKENS_PER_PROJECT', { default: '100', describe: 'Living project access tokens of a project.' })
  @IsInt()
  @Min(0)
  tokensPerProject: number;

  @Variable('QUOTA_PATS_PER_DEVELOPER', { default: '50', describe: 'Living personal access tokens of a developer.' })
  @IsInt()
  @Min(0)
  patsPerDeveloper: number;

  @Variable('MAX_OPEN_RESERVATIONS', { default: '100', describe: 'Open reservations one credential may hold.' })
  @IsInt()
  @Min(1)
  openReservations: number;
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
  QuotaConfig,
] as const;
