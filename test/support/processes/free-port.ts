import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#infra/database/embedded/free-port';

/**
 * A free port of 127.0.0.1 that no other test of the run gets, although a process may take seconds until it listens on it. A folder in
 * the folder of the run marks the port as taken.
 */
export async function takeFreePort(): Promise<number> {
  for (;;) {
    const port = await findFreePort();
    try {
      await mkdir(join(tmpdir(), `port-${port}`));
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
