import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { StartupError } from '#kernel/errors/startup-error';
import { TIMEOUTS } from './data-source-options';

const RETRY_MS = 500;

/**
 * Connects once (with one retry) before the application loads, so that a wrong address is reported in one line.
 * @param urls keyed by the variable that holds them
 * @throws StartupError that names the variable and contains neither address nor password.
 */
export async function reachDatabase(urls: Readonly<Record<string, string | undefined>>): Promise<void> {
  for (const [variable, url] of Object.entries(urls)) {
    if (url === undefined) continue;
    await connect(url)
      .catch(async () => {
        await sleep(RETRY_MS);
        await connect(url);
      })
      .catch((error: unknown) => {
        throw new StartupError(`${variable}: ${adviceOn(error as NodeJS.ErrnoException)}`, { cause: error });
      });
  }
}

async function connect(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, ...TIMEOUTS });
  // A connection lost later fails the next query; without a listener the error event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

/** Advice by SQLSTATE (PostgreSQL, appendix A) when the server responded, else by the network's error. */
function adviceOn({ code, message }: NodeJS.ErrnoException): string {
  if (/^28/.test(code ?? '')) return `the database rejected the login (${code}). Check user and password.`;
  if (code === '3D000')
    return `the database does not exist (${code}). Create it, or check the name after the last slash.`;
  if (code === '08P01' && message.includes('unsupported startup parameter')) {
    const names = Object.keys(TIMEOUTS).filter((name) => name.endsWith('_timeout'));
    return `the pooler rejected the timeouts of the service. Add to pgbouncer.ini: ignore_startup_parameters = ${names.join(',')} (docs/scaling.md, "PgBouncer").`;
  }
  if (/^[0-9A-Z]{5}$/.test(code ?? '')) return `the database rejected the connection (${code}: ${message}).`;
  return `the database cannot be reached (${code ?? message}). Check host and port, and that PostgreSQL is running there.`;
}
