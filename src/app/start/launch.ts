import { requireCdnKey } from '#infra/blob/cdn/cdn-store';
import { CdnConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';
import { loadSecrets } from '#infra/crypto/secrets';
import { createLogger, type Logger } from '#infra/logging/logger';
import { type Tracing } from '#infra/tracing/tracing';
import { refuseDemoInProduction } from '../demo/refuse-demo';
import { type DatabaseUrls, openDatabase } from './open-database';
import { ShutdownHooks, stopOnSignals } from './shutdown';

export interface LaunchOptions {
  readonly config: Config;
  /** Tracing, which starts before the modules that it instruments are loaded. */
  readonly tracing: Tracing;
  /** Creates a demo organization on the first start, and prints its URL on every start. Rejected in production. */
  readonly seedDemo: boolean;
  /** Only runs the migrations: for a separate deployment step that alone has the credentials of the schema's owner. */
  readonly migrateOnly: boolean;
}

/**
 * Starts the service and everything that the configuration does not provide (such as the embedded PostgreSQL). SIGINT and
 * SIGTERM stop all of it.
 */
export async function launch(options: LaunchOptions): Promise<void> {
  const { config, tracing, migrateOnly } = options;
  const logger = createLogger(config);
  tracing.reportTo(logger);
  const shutdownHooks = new ShutdownHooks();
  shutdownHooks.push(() => tracing.stop());
  stopOnSignals(config, logger, () => shutdownHooks.run());
  try {
    await start(logger, options, shutdownHooks);
  } catch (error) {
    // A signal stopped a part that the start needs. Its handler exits when the other parts are stopped.
    if (shutdownHooks.hasBegun) return;
    // The startup error must be the last line that is printed.
    await shutdownHooks.run().catch((failure: unknown) => logger.error({ err: failure }, 'shutdown failed'));
    throw error;
  }
  if (migrateOnly) await shutdownHooks.run();
}

/** The database starts while this process loads the application. */
async function start(logger: Logger, options: LaunchOptions, shutdownHooks: ShutdownHooks): Promise<void> {
  const { config, migrateOnly, seedDemo } = options;
  if (seedDemo) refuseDemoInProduction(config);
  // Secrets are checked before the migrations run. Migrating alone needs no secrets.
  const secrets = migrateOnly ? null : loadSecrets(config);
  if (!migrateOnly) requireCdnKey(config.get(CdnConfig));
  let database!: Promise<DatabaseUrls>;
  const launched = new Promise<void>((resolve) => {
    database = openDatabase(config, logger, shutdownHooks, resolve);
  });
  await Promise.race([launched, database]);
  // eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/consistent-type-imports -- an import would load it first
  const { startService } = require('#app/service') as typeof import('#app/service');
  await startService({ config, logger, secrets, database: await database, shutdownHooks, seedDemo });
}
