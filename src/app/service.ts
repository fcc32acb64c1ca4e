import { once } from 'node:events';
import { setImmediate as nextLoopTurn, setTimeout as sleep } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Clock } from '#kernel/context/clock';
import { systemContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';
import { newId } from '#kernel/ids';
import { SystemClock } from '#infra/clock/system-clock';
import { BillingConfig, DatabaseConfig, HttpConfig, PaymentConfig, RuntimeConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';
import { type Secrets } from '#infra/crypto/secrets';
import { ConnectionTimeouts } from '#infra/database/connection-timeouts';
import { migrateDatabase } from '#infra/database/migrations/migrate';
import { SchemaVersion } from '#infra/database/migrations/schema-version';
import { ConnectionPool } from '#infra/database/pool/connection-pool';
import { DatabaseRole } from '#infra/database/roles/database-role';
import { HttpAdapter } from '#infra/http/server/http-adapter';
import { JobWorker } from '#infra/jobs/job-worker';
import { Readiness } from '#infra/lifecycle/readiness';
import { SilentConnections } from '#infra/lifecycle/silent-connections';
import { type Logger } from '#infra/logging/logger';
import { MailModule } from '#infra/mail/mail.module';
import { MetricsServer } from '#infra/metrics/metrics-server';
import { HostedStoreIdentityService } from '#modules/storage';
import { AppModule } from './app.module';
import { setUpApp } from './app.setup';
import { builtCommandLine } from './command-line/serve-command-line';
import { builtDashboard } from './dashboard/dashboard';
import { seedDemo } from './demo/seed-demo';
import { builtHelp } from './help/serve-help';
import { type DatabaseUrls } from './start/open-database';
import { type ShutdownHooks } from './start/shutdown';

export interface ServiceOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Keys to sign and seal with. `null` only runs the migrations. */
  readonly secrets: Secrets | null;
  readonly database: DatabaseUrls;
  /** Receives the hooks that stop the started parts. */
  readonly shutdownHooks: ShutdownHooks;
  /** Creates a demo organization on the first start, and prints its URL on every start. */
  readonly seedDemo: boolean;
}

/** Migrates the database and starts the application. Resolves when it is ready. */
export async function startService(options: ServiceOptions): Promise<void> {
  const { config, logger, secrets, shutdownHooks } = options;
  const { url, ownerUrl } = options.database;
  if (!secrets || config.get(DatabaseConfig).migrateOnStart) {
    const migrations = await migrateDatabase(ownerUrl ?? url, url, (message) => logger.warn({}, message));
    if (migrations > 0) logger.info({ migrations }, 'database migrated');
  }
  if (!secrets) return;
  const parts = { config, logger, databaseUrl: url, secrets, clock: new SystemClock() };
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(parts),
    new HttpAdapter(config.get(RuntimeConfig)),
    {
      logger,
      bodyParser: false,
      abortOnError: false,
    },
  );
  setUpApp(app, { dashboard: builtDashboard(), commandLine: builtCommandLine(), help: builtHelp() });
  const silent = new SilentConnections(app.getHttpServer());
  shutdownHooks.push(
    () => app.close(),
    () => drainInFlight(app, config, silent),
  );
  const { role, environment } = config.get(RuntimeConfig);
  await app.get(DatabaseRole).reportFaults({ inProduction: environment === 'production' });
  await app.get(SchemaVersion).reportLaterVersion();
  await app.get(ConnectionTimeouts).reportMissing();
  const clock = app.get(Clock);
  await app.get(HostedStoreIdentityService).confirm(systemContext('start', clock, newId()));
  await app.get(MetricsServer).listen();
  if (role === 'worker') await work(app, logger);
  else await listen(app, config, logger);
  if (role !== 'api' && environment === 'production') app.get(MailModule).tryServer();
  if (options.seedDemo) console.log(await seedDemo(app));
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
  const { poolSize } = config.get(DatabaseConfig);
  logger.info({ port, requestConnections: poolSize }, `Agate is ready at ${baseUrl}`);
}

const CLOSE_IDLE_MS = 200;

/** Stops fetching jobs and, after the drain, accepting requests. Resolves when those in progress are complete. */
async function drainInFlight(app: NestExpressApplication, config: Config, silent: SilentConnections): Promise<void> {
  const works = config.get(RuntimeConfig).role !== 'api';
  await Promise.all([
    works && app.get(JobWorker, { strict: false }).stop(),
    stopServing(app, config.get(HttpConfig).shutdownDrainMs, silent),
  ]);
}

/**
 * Reports "not ready" before it stops listening, so that a load balancer stops sending traffic first. Then closes idle
 * connections repeatedly: a client that keeps a connection open would otherwise delay the shutdown until its limit.
 */
async function stopServing(app: NestExpressApplication, drainMs: number, silent: SilentConnections): Promise<void> {
  const server = app.getHttpServer();
  if (!server.listening) return;
  app.get(Readiness).drain();
  await sleep(drainMs);
  // Reads requests that have already arrived, so that their connections do not count as idle.
  await nextLoopTurn();
  const closed = once(server, 'close');
  server.close();
  const closing = setInterval(() => {
    server.closeIdleConnections();
    silent.close();
  }, CLOSE_IDLE_MS);
  await closed;
  clearInterval(closing);
}
