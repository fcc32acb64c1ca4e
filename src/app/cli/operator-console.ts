import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Clock } from '#kernel/context/clock';
import { AppError } from '#kernel/errors/app-error';
import { StartupError } from '#kernel/errors/startup-error';
import { SystemClock } from '#infra/clock/system-clock';
import { DatabaseConfig, RuntimeConfig } from '#infra/config/config';
import { type Config, loadConfig } from '#infra/config/load-config';
import { loadSecrets } from '#infra/crypto/secrets';
import { isForbidden } from '#infra/database/database-errors';
import { lockDataDirectory } from '#infra/database/embedded/data-directory-lock';
import { startEmbeddedPostgres } from '#infra/database/embedded/embedded-postgres';
import { SchemaVersion } from '#infra/database/migrations/schema-version';
import { reachDatabase } from '#infra/database/reach-database';
import { createLogger } from '#infra/logging/logger';
import { type OperatorCommand, OperatorCommands } from '#modules/operators';
import { AppModule } from '../app.module';
import { type DatabaseUrls } from '../start/open-database';
import { operatorProgram, TERMINAL } from './operator-program';
import { runSetup } from './setup/setup';

/**
 * Runs an operator command on the configured database. The service may be running or stopped.
 * @returns the exit status: 0 for success, 1 for failure, 2 for a usage error or a missing confirmation.
 */
export async function runOperatorConsole(words: readonly string[]): Promise<number> {
  // Runs before there is a configuration or a database.
  if (words[0] === 'setup') return runSetup(words.slice(1), TERMINAL);
  const config = loadConfig(undefined, { needsSecrets: true });
  return withDatabase(config, async (database) => {
    const app = await createContext(config, database);
    try {
      const ready = ({ onAnySchema }: OperatorCommand): Promise<void> =>
        onAnySchema ? Promise.resolve() : app.get(SchemaVersion).check().catch(rejectOldSchema);
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

/** Uses the embedded PostgreSQL of the running service. Without a running service, starts it for `work` and stops it afterwards. */
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

function rejectOldSchema(error: unknown): never {
  // The application's role cannot read the schema version of a database that only an older version has used.
  if (!(error instanceof AppError) && !isForbidden(error)) throw error;
  throw new StartupError('The database was not migrated to this version. Start the service once: npm start');
}
