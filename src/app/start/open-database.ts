import { join } from 'node:path';
import { DatabaseConfig, RuntimeConfig } from '#infra/config/config';
import { type Config } from '#infra/config/load-config';
import { lockDataDirectory } from '#infra/database/embedded/data-directory-lock';
import { startEmbeddedPostgres } from '#infra/database/embedded/embedded-postgres';
import { reachDatabase } from '#infra/database/reach-database';
import { type Logger } from '#infra/logging/logger';
import { type ShutdownHooks } from './shutdown';

/** Database URLs of the service's role and of the role that owns the schema. */
export interface DatabaseUrls {
  readonly url: string;
  readonly ownerUrl: string | undefined;
}

/**
 * Returns the configured database, or starts the embedded PostgreSQL in a data directory that this process locks.
 * @param onLaunch called when the process of an embedded PostgreSQL runs, which is before it accepts connections.
 * @throws StartupError when the database cannot be reached or started, or another process holds the data directory.
 */
export async function openDatabase(
  config: Config,
  logger: Logger,
  shutdownHooks: ShutdownHooks,
  onLaunch: () => void,
): Promise<DatabaseUrls> {
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
    onLaunch,
  });
  // Runs also when a signal arrives before PostgreSQL is ready. A failed start leaves no server to stop.
  shutdownHooks.push(async () => {
    const postgres = await starting.catch(() => undefined);
    await postgres?.stop();
  });
  return starting;
}
