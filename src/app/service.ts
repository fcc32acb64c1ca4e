import { once } from 'node:events';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { StartupError } from '#kernel/errors/startup-error';
import { SystemClock } from '#platform/clock/system-clock';
import { DatabaseConfig, HttpConfig, RuntimeConfig } from '#platform/config/config';
import { type Config, loadConfig } from '#platform/config/load-config';
import { loadSecrets } from '#platform/crypto/secrets';
import { lockDataDirectory } from '#platform/database/data-directory-lock';
import { DatabaseRole } from '#platform/database/database-role';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres';
import { migrateDatabase } from '#platform/database/migrate';
import { Readiness } from '#platform/lifecycle/readiness';
import { createLogger, type Logger } from '#platform/logging/logger';
import { AppModule } from './app.module';
import { setUpApp } from './app.setup';
import { refuseDemoInProduction, seedDemo } from './demo/seed-demo';

export interface ServiceOptions {
  /** On a first start: make a demo organization to look at. On every start: say where it is. Refused in production. */
  readonly seedDemo: boolean;
  /** Brings the database up to date, and no more: for a step before the start that alone knows the owner of the schema. */
  readonly migrateOnly?: boolean;
}

/** The role that the service runs as, and the one that owns the schema. */
interface DatabaseUrls {
  readonly url: string;
  readonly ownerUrl: string | undefined;
}

/** Something that was started and must be stopped, last first. */
type Stop = () => Promise<void>;

const HARD_EXIT_MS = 30_000;
const CLOSE_IDLE_MS = 200;

/** Starts the service with everything that the configuration leaves to it, and stops all of that on SIGINT and SIGTERM. */
export async function startService(options: ServiceOptions): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config);
  const stops: Stop[] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  stopOnSignals(logger, stopAll);
  try {
    await start(config, logger, options, stops);
  } catch (error) {
    await stopAll();
    throw error;
  }
  if (options.migrateOnly) await stopAll();
}

async function start(config: Config, logger: Logger, options: ServiceOptions, stops: Stop[]): Promise<void> {
  if (options.seedDemo) refuseDemoInProduction(config);
  const { url, ownerUrl } = await openDatabase(config, logger, stops);
  if (options.migrateOnly || config.get(DatabaseConfig).migrateOnStart) {
    const migrations = await migrateDatabase(ownerUrl ?? url, url);
    if (migrations > 0) logger.info({ migrations }, 'database migrated');
  }
  if (options.migrateOnly) return;
  const parts = { config, logger, databaseUrl: url, secrets: loadSecrets(config), clock: new SystemClock() };
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(parts), {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  setUpApp(app);
  stops.push(
    () => app.close(),
    () => drain(app, config),
  );
  const { role, environment } = config.get(RuntimeConfig);
  await app.get(DatabaseRole).reportFaults({ inProduction: environment === 'production' });
  if (role === 'worker') await app.init();
  else await listen(app, config, logger);
  if (options.seedDemo) console.log(await seedDemo(app));
}

/** What the configuration names, or the embedded PostgreSQL, in a data directory that this process has to itself. */
async function openDatabase(config: Config, logger: Logger, stops: Stop[]): Promise<DatabaseUrls> {
  const { url, ownerUrl } = config.get(DatabaseConfig);
  if (url) return { url, ownerUrl };
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

async function listen(app: NestExpressApplication, config: Config, logger: Logger): Promise<void> {
  const { port, baseUrl } = config.get(HttpConfig);
  try {
    await app.init();
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

/**
 * Says "not ready" before it stops listening, so that a balancer looks away first; then ends idle connections, and those that
 * become idle once their request is finished: a client that keeps one would hold the process until it is cut off.
 */
async function drain(app: NestExpressApplication, config: Config): Promise<void> {
  app.get(Readiness).drain();
  await new Promise((resolve) => setTimeout(resolve, config.get(HttpConfig).shutdownDrainMs));
  const server = app.getHttpServer();
  setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS).unref();
}

function stopOnSignals(logger: Logger, stopAll: Stop): void {
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping: finishing what is in flight');
    setTimeout(() => process.exit(1), HARD_EXIT_MS).unref();
    stopAll().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
}
