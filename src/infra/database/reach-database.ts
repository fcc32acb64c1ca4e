import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { StartupError } from '#kernel/errors/startup-error';
import { TIMEOUTS } from './data-source-options';

/** A server that is slow to take the first connection is asked again. */
const AGAIN_MS = 500;

/**
 * Connects once before anything else does, so that a wrong address is told in a line.
 * @param urls by the variables that name them
 * @throws StartupError that names the variable, and shows neither address nor password.
 */
export async function reachDatabase(urls: Readonly<Record<string, string | undefined>>): Promise<void> {
  for (const [variable, url] of Object.entries(urls)) {
    if (url === undefined) continue;
    await connect(url)
      .catch(async () => {
        await sleep(AGAIN_MS);
        await connect(url);
      })
      .catch((error: unknown) => {
        throw new StartupError(`${variable}: ${adviceOn(error as NodeJS.ErrnoException)}`, { cause: error });
      });
  }
}

async function connect(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, ...TIMEOUTS });
  // What is lost after the connection stands is told by the query that needs it.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

/** By SQLSTATE (PostgreSQL appendix A) when the server has spoken, else by what the network said. */
function adviceOn({ code, message }: NodeJS.ErrnoException): string {
  if (/^28/.test(code ?? '')) return `the database refuses this role (${code}). Check user and password.`;
  if (code === '3D000')
    return `there is no such database (${code}). Create it, or check the name after the last slash.`;
  if (/^[0-9A-Z]{5}$/.test(code ?? '')) return `the database takes no connection now (${code}: ${message}).`;
  return `the database cannot be reached (${code ?? message}). Check host and port, and that PostgreSQL is running there.`;
}
