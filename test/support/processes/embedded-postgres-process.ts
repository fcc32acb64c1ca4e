import { StartupError } from '#kernel/errors/startup-error';
import { startEmbeddedPostgres } from '#infra/database/embedded/embedded-postgres';

/**
 * A process that starts the embedded PostgreSQL and then waits to be killed: `node --require run-typescript.cjs <this file>
 * <data directory> [port]`. Prints one line of JSON: `{url, ownerUrl, adopted}` or `{error}`.
 */
async function main([dataDirectory = '', port]: string[]): Promise<void> {
  try {
    const log = (message: string) => console.error(message);
    const settings = { fsync: 'off' };
    const postgres = await startEmbeddedPostgres({ dataDirectory, settings, log, ...(port && { port: Number(port) }) });
    console.log(JSON.stringify({ url: postgres.url, ownerUrl: postgres.ownerUrl, adopted: postgres.adopted }));
    process.once('SIGTERM', () => void postgres.stop().then(() => process.exit()));
    setInterval(() => undefined, 60_000);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    console.log(JSON.stringify({ error: error.message }));
  }
}

void main(process.argv.slice(2));
