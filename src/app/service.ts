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
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres';
import { migrateDatabase } from '#platform/database/migrate';
import { createLogger, type Logger } from '#platform/logging/logger';
import { AppModule } from './app.module';
import { setUpApp } from './app.setup';
import { refuseDemoInProduction, seedDemo } from './demo/seed-demo';
import { finishWhatIsInFlight, stopOnSignals } from './graceful-stop';

export interface ServiceOptions {
  /** On a first start: make a demo organization to look at. On every start: say where it is. Refused in production. */
  readonly seedDemo: boolean;
}

/** Something that was started and must be stopped, last first. */
type Stop = () => Promise<void>;

/** Starts the service with everything that the configuration leaves to it, and stops all of that on SIGINT and SIGTERM. */
export async function startService(options: ServiceOptions): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config);
  const stops: Stop[] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  stopOnSignals(config, logger, stopAll);
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
    () => finishWhatIsInFlight(app, config),
  );
  if (config.get(RuntimeConfig).role === 'worker') await work(app, logger);
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

/** A worker listens to nobody: the queue is how it is asked. */
async function work(app: NestExpressApplication, logger: Logger): Promise<void> {
  await app.init();
  logger.info({}, 'Agate is ready: this worker runs jobs');
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
