import { once } from 'node:events';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Clock } from '#kernel/context/clock';
import { systemContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';
import { newId } from '#kernel/ids';
import { HostedStoreIdentityService } from '#modules/storage';
import { SystemClock } from '#infra/clock/system-clock';
import { BillingConfig, DatabaseConfig, HttpConfig, PaymentConfig, RuntimeConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';
import { loadSecrets } from '#infra/crypto/secrets';
import { ConnectionPool } from '#infra/database/pool/connection-pool';
import { lockDataDirectory } from '#infra/database/embedded/data-directory-lock';
import { DatabaseRole } from '#infra/database/roles/database-role';
import { startEmbeddedPostgres } from '#infra/database/embedded/embedded-postgres';
import { migrateDatabase } from '#infra/database/migrations/migrate';
import { reachDatabase } from '#infra/database/reach-database';
import { createLogger, type Logger } from '#infra/logging/logger';
import { MetricsServer } from '#infra/metrics/metrics-server';
import { type Tracing } from '#infra/tracing/tracing';
import { AppModule } from './app.module';
import { setUpApp } from './app.setup';
import { builtCommandLine } from './command-line/serve-command-line';
import { builtDashboard } from './dashboard/dashboard';
import { refuseDemoInProduction, seedDemo } from './demo/seed-demo';
import { drainInFlight, ShutdownHooks, stopOnSignals } from './shutdown';

export interface ServiceOptions {
  readonly config: Config;
  /** Tracing, which starts before the service is loaded. */
  readonly tracing: Tracing;
  /** Creates a demo organization on the first start, and prints its URL on every start. Rejected in production. */
  readonly seedDemo: boolean;
  /** Only runs the migrations: for a separate deployment step that alone has the credentials of the schema's owner. */
  readonly migrateOnly?: boolean;
}

/** Database URLs of the service's role and of the role that owns the schema. */
export interface DatabaseUrls {
  readonly url: string;
  readonly ownerUrl: string | undefined;
}

/**
 * Starts the service and everything that the configuration does not provide (such as the embedded PostgreSQL). SIGINT and
 * SIGTERM stop all of it.
 */
export async function startService(options: ServiceOptions): Promise<void> {
  const { config, tracing } = options;
  const logger = createLogger(config);
  tracing.reportTo(logger);
  const shutdownHooks = new ShutdownHooks();
  shutdownHooks.push(() => tracing.stop());
  stopOnSignals(config, logger, () => shutdownHooks.run());
  try {
    await start(config, logger, options, shutdownHooks);
  } catch (error) {
    // The startup error must be the last line that is printed.
    await shutdownHooks.run().catch((failure: unknown) => logger.error({ err: failure }, 'shutdown failed'));
    throw error;
  }
  if (options.migrateOnly) await shutdownHooks.run();
}

async function start(
  config: Config,
  logger: Logger,
  options: ServiceOptions,
  shutdownHooks: ShutdownHooks,
): Promise<void> {
  if (options.seedDemo) refuseDemoInProduction(config);
  // Secrets are checked before the migrations run. Migrating alone needs no secrets.
  const secrets = options.migrateOnly ? null : loadSecrets(config);
  const { url, ownerUrl } = await openDatabase(config, logger, shutdownHooks);
  if (options.migrateOnly || config.get(DatabaseConfig).migrateOnStart) {
    const migrations = await migrateDatabase(ownerUrl ?? url, url, (message) => logger.warn({}, message));
    if (migrations > 0) logger.info({ migrations }, 'database migrated');
  }
  if (!secrets) return;
  const parts = { config, logger, databaseUrl: url, secrets, clock: new SystemClock() };
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(parts), {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  setUpApp(app, { dashboard: builtDashboard(), commandLine: builtCommandLine() });
  shutdownHooks.push(
    () => app.close(),
    () => drainInFlight(app, config),
  );
  const { role, environment } = config.get(RuntimeConfig);
  await app.get(DatabaseRole).reportFaults({ inProduction: environment === 'production' });
  const clock = app.get(Clock);
  await app.get(HostedStoreIdentityService).confirm(systemContext('start', clock, newId()));
  await app.get(MetricsServer).listen();
  if (role === 'worker') await work(app, logger);
  else await listen(app, config, logger);
  if (options.seedDemo) console.log(await seedDemo(app));
}

/** Returns the configured database, or starts the embedded PostgreSQL in a data directory that this process locks. */
async function openDatabase(config: Config, logger: Logger, shutdownHooks: ShutdownHooks): Promise<DatabaseUrls> {
  const { url, ownerUrl } = config.get(DatabaseConfig);
  if (url) {
    await reachDatabase({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
    return { url, ownerUrl };
  }
  const { dataDirectory } = config.get(RuntimeConfig);
  const lock = await lockDataDirectory(dataDirectory);
  shutdownHooks.push(() => lock.release());
  const starting = startEmbeddedPostgres({
    dataDirectory: join(dataDirectory, 'postgres'),
    log: (message) => logger.info({}, message),
  });
  // Also when a signal arrives before PostgreSQL is ready. A failed start leaves no server to stop.
  shutdownHooks.push(async () => {
    const postgres = await starting.catch(() => undefined);
    await postgres?.stop();
  });
  return starting;
}

/** Starts a worker, which listens on no port except the metrics port. */
async function work(app: NestExpressApplication, logger: Logger): Promise<void> {
  await app.init();
  logger.info({}, 'Agate is ready: this worker runs jobs');
}

/** Without a payment provider, transfers end with the trial credit, at the latest in the second month. */
function reportUnpaidBilling(config: Config, logger: Logger): void {
  if (!config.get(BillingConfig).isMetered || config.get(PaymentConfig).provider !== 'manual') return;
  logger.info(
    {},
    'Billing is metered and there is no payment provider: an operator must approve each top-up. Set BILLING=off if this service is for your own people, or set PAYMENT_PROVIDER.',
  );
}

async function listen(app: NestExpressApplication, config: Config, logger: Logger): Promise<void> {
  reportUnpaidBilling(config, logger);
  const { port, host, baseUrl } = config.get(HttpConfig);
  try {
    await app.init();
    await app.get(ConnectionPool).warm();
    // app.listen() would also log its error with a stack.
    const server = app.getHttpServer();
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRNOTAVAIL')
      throw new StartupError(`This machine has no address ${host}. Set HOST to one of its addresses, or to 0.0.0.0.`);
    if (code !== 'EADDRINUSE') throw error;
    throw new StartupError(
      `Port ${port} is in use. Stop the process that uses it, or choose another port: PORT=${port + 1} npm run quickstart`,
    );
  }
  logger.info({ port }, `Agate is ready at ${baseUrl}`);
}
