import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppError } from '#kernel/errors/app-error';
import { StartupError } from '#kernel/errors/startup-error';
import { Clock } from '#kernel/context/clock';
import { type OperatorCommand, OperatorCommands } from '#modules/operators';
import { SystemClock } from '#infra/clock/system-clock';
import { DatabaseConfig, RuntimeConfig } from '#infra/config/config';
import { type Config, loadConfig } from '#infra/config/load-config';
import { loadSecrets } from '#infra/crypto/secrets';
import { isForbidden } from '#infra/database/database-errors';
import { lockDataDirectory } from '#infra/database/embedded/data-directory-lock';
import { startEmbeddedPostgres } from '#infra/database/embedded/embedded-postgres';
import { reachDatabase } from '#infra/database/reach-database';
import { SchemaVersion } from '#infra/database/migrations/schema-version';
import { createLogger } from '#infra/logging/logger';
import { AppModule } from '../app.module';
import { operatorProgram } from './operator-program';
import { type DatabaseUrls } from '../service';

/**
 * The operators' command line (contract §16), on the database that the configuration names, whether the service runs or not.
 * @returns the exit status: 0 done, 1 failed, 2 typed wrongly or not confirmed.
 */
export function runOperatorConsole(words: readonly string[]): Promise<number> {
  const config = loadConfig(undefined, { needsSecrets: true });
  return withDatabase(config, async (database) => {
    const app = await createContext(config, database);
    try {
      const ready = ({ onAnySchema }: OperatorCommand): Promise<void> =>
        onAnySchema ? Promise.resolve() : app.get(SchemaVersion).check().catch(refuseOldSchema);
      return await operatorProgram(app.get(OperatorCommands).all, app.get(Clock), { ready }).run(words);
    } finally {
      await app.close();
    }
  });
}

function createContext(config: Config, { url, ownerUrl }: DatabaseUrls): Promise<INestApplicationContext> {
  const logger = createLogger(config, process.stderr);
  const database = { databaseUrl: url, databaseOwnerUrl: ownerUrl };
  const parts = { config, logger, ...database, secrets: loadSecrets(config), clock: new SystemClock(), work: false };
  return NestFactory.createApplicationContext(AppModule.forRoot(parts), { logger, abortOnError: false });
}

/** The embedded PostgreSQL belongs to the service while that runs; else it is there for the time of the work, however that ends. */
async function withDatabase<T>(config: Config, work: (database: DatabaseUrls) => Promise<T>): Promise<T> {
  const { url, ownerUrl } = config.get(DatabaseConfig);
  if (url) {
    await reachDatabase({ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
    return work({ url, ownerUrl });
  }
  const { dataDirectory } = config.get(RuntimeConfig);
  const lock = await lockDataDirectory(dataDirectory).catch(unlessStartupError);
  try {
    const postgres = await startEmbeddedPostgres({
      dataDirectory: join(dataDirectory, 'postgres'),
      log: () => undefined,
    });
    try {
      return await work(postgres);
    } finally {
      if (lock) await postgres.stop();
    }
  } finally {
    await lock?.release();
  }
}

function unlessStartupError(error: unknown): null {
  if (error instanceof StartupError) return null;
  throw error;
}

function refuseOldSchema(error: unknown): never {
  // Of a database that only an older version has used, the application's role may not even ask.
  if (!(error instanceof AppError) && !isForbidden(error)) throw error;
  throw new StartupError('The database was not yet migrated to this version. Start the service once: npm start');
}
