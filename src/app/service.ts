import { once } from 'node:events';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { StartupError } from '#kernel/errors/startup-error';
import { SystemClock } from '#platform/clock/system-clock';
import { DatabaseConfig, HttpConfig, RuntimeConfig } from '#platform/config/config';
import { type Config } from '#platform/config/load-config';
import { loadSecrets } from '#platform/crypto/secrets';
import { lockDataDirectory } from '#platform/database/data-directory-lock';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres';
import { migrateDatabase } from '#platform/database/migrate';
import { Readiness } from '#platform/lifecycle/readiness';
import { createLogger, type Logger } from '#platform/logging/logger';
import { MetricsServer } from '#platform/metrics/metrics-server';
import { type Tracing } from '#platform/tracing/tracing';
import { AppModule } from './app.module';
import { setUpApp } from './app.setup';
import { refuseDemoInProduction, seedDemo } from './demo/seed-demo';

export interface ServiceOptions {
  readonly config: Config;
  /** What was begun before the service was loaded. */
  readonly tracing: Tracing;
  /** On a first start: make a demo organization to look at. On every start: say where it is. Refused in production. */
  readonly seedDemo: boolean;
}

/** Something that was started and must be stopped, last first. */
type Stop = () => Promise<void>;

const HARD_EXIT_MS = 30_000;
const CLOSE_IDLE_MS = 200;

/** Starts the service with everything that the configuration leaves to it, and stops all of that on SIGINT and SIGTERM. */
export async function startService(options: ServiceOptions): Promise<void> {
  const { config, tracing } = options;
  const logger = createLogger(config);
  tracing.reportTo(logger);
  const stops: Stop[] = [() => tracing.stop()];
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
}

async function start(config: Config, logger: Logger, options: ServiceOptions, stops: Stop[]): Promise<void> {
  if (options.seedDemo) refuseDemoInProduction(config);
  const databaseUrl = config.get(DatabaseConfig).url ?? (await startDatabase(config, logger, stops));
  if (config.get(DatabaseConfig).migrateOnStart) {
    const migrations = await migrateDatabase(databaseUrl);
    if (migrations > 0) logger.info({ migrations }, 'database migrated');
  }
  const parts = { config, logger, databaseUrl, secrets: loadSecrets(config), clock: new SystemClock() };
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
  await app.get(MetricsServer).listen();
  if (config.get(RuntimeConfig).role === 'worker') await app.init();
  else await listen(app, config, logger);
  if (options.seedDemo) console.log(await seedDemo(app));
}

/** The embedded PostgreSQL, in a data directory that this process has to itself. */
async function startDatabase(config: Config, logger: Logger, stops: Stop[]): Promise<string> {
  const { dataDirectory } = config.get(RuntimeConfig);
  const lock = await lockDataDirectory(dataDirectory);
  stops.push(() => lock.release());
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(dataDirectory, 'postgres'),
    log: (message) => logger.info({}, message),
  });
  stops.push(() => postgres.stop());
  return postgres.url;
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
