import { resolve } from 'node:path';
import { Transform } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsIP, IsOptional, IsString, IsUrl, Max, Min } from 'class-validator';
import { Variable } from '../variable';
import { flag, list, LOCAL_URL } from './values';

const POSTGRES_URL = {
  protocols: ['postgres', 'postgresql'],
  require_tld: false,
  require_protocol: true,
  require_host: true,
};

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

  @Variable('MCP', {
    default: 'on',
    describe: '"off": the MCP server for agents (docs/agents.md) is not served.',
  })
  @IsIn(['on', 'off'])
  mcp: 'on' | 'off';

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

  @Variable('FAST_PATHS', {
    default: 'on',
    describe:
      '"off": libraries run without the changes that make them faster. Only for diagnosis: a fault that stays is not caused by these changes. Requests take more CPU.',
  })
  @IsIn(['on', 'off'])
  fastPaths: 'on' | 'off';
}

/** The database and its connections. */
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
    describe:
      'Maximum number of database connections for requests. With fewer than 6, two organizations can hold all connections that requests ' +
      'of organizations may have. A process that runs jobs has up to 26 others. Default: twice the number of cores of the machine and one more, 7 to 10.',
  })
  @IsOptional()
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
