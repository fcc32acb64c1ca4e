import { once } from 'node:events';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { StartupError } from '#kernel/errors/startup-error';
import { SystemClock } from '#infra/clock/system-clock';
import { DatabaseConfig, HttpConfig, RuntimeConfig } from '#infra/config/config';
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
import { refuseDemoInProduction, seedDemo } from './demo/seed-demo';
import { drainInFlight, ShutdownHooks, stopOnSignals } from './shutdown';

export interface ServiceOptions {
  readonly config: Config;
  /** What was begun before the service was loaded. */
  readonly tracing: Tracing;
  /** On a first start: make a demo organization to look at. On every start: say where it is. Refused in production. */
  readonly seedDemo: boolean;
  /** Brings the database up to date, and no more: for a step before the start that alone knows the owner of the schema. */
  readonly migrateOnly?: boolean;
}

/** The role that the service runs as, and the one that owns the schema. */
export interface DatabaseUrls {
  readonly url: string;
  readonly ownerUrl: string | undefined;
}

/** Starts the service with everything that the configuration leaves to it, and stops all of that on SIGINT and SIGTERM. */
export async function startService(options: ServiceOptions): Promise<void> {
  const { config, tracing } = options;
  const logger = createLogger(config);
  tracing.reportTo(logger);
  const stops = new ShutdownHooks();
  stops.push(() => tracing.stop());
  stopOnSignals(config, logger, () => stops.run());
  try {
    await start(config, logger, options, stops);
  } catch (error) {
    // Why it does not start is what a person has to read last.
    await stops.run().catch((failure: unknown) => logger.error({ err: failure }, 'stopping failed'));
    throw error;
  }
  if (options.migrateOnly) await stops.run();
}

async function start(config: Config, logger: Logger, options: ServiceOptions, stops: ShutdownHooks): Promise<void> {
  if (options.seedDemo) refuseDemoInProduction(config);
  // Whoever cannot serve changes nothing; migrating alone needs no secrets.
  const secrets = options.migrateOnly ? null : loadSecrets(config);
  const { url, ownerUrl } = await openDatabase(config, logger, stops);
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
  setUpApp(app);
  stops.push(
    () => app.close(),
    () => drainInFlight(app, config),
  );
  const { role, environment } = config.get(RuntimeConfig);
  await app.get(DatabaseRole).reportFaults({ inProduction: environment === 'production' });
  await app.get(MetricsServer).listen();
  if (role === 'worker') await work(app, logger);
  else await listen(app, config, logger);
  if (options.seedDemo) console.log(await seedDemo(app));
}

/** What the configuration names, or the embedded PostgreSQL, in a data directory that this process has to itself. */
async function openDatabase(config: Config, logger: Logger, stops: ShutdownHooks): Promise<DatabaseUrls> {
  const { url, ownerUrl } = config.get(DatabaseConfig);
  if (url) {
    await reachDatabase({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
    return { url, ownerUrl };
  }
  const { dataDirectory } = config.get(RuntimeConfig);
  const lock = await lockDataDirectory(dataDirectory);
  stops.push(() => lock.release());
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(dataDirectory, 'postgres'),
    log: (message) => logger.info({}, message),
  });
  stops.push(() => postgres.stop());
  return postgres;
}

/** A worker serves nobody but those who measure it: the queue is how it is asked. */
async function work(app: NestExpressApplication, logger: Logger): Promise<void> {
  await app.init();
  logger.info({}, 'Agate is ready: this worker runs jobs');
}

async function listen(app: NestExpressApplication, config: Config, logger: Logger): Promise<void> {
  const { port, baseUrl } = config.get(HttpConfig);
  try {
    await app.init();
    await app.get(ConnectionPool).warm();
    // Not app.listen, which logs what it throws: a stack beside the message that helps.
    const server = app.getHttpServer();
    await once(server.listen(port), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new StartupError(
      `Port ${port} is taken. Stop what uses it, or choose another: PORT=${port + 1} npm run quickstart`,
    );
  }
  logger.info({ port }, `Agate is ready at ${baseUrl}`);
}
