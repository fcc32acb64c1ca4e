import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '#infra/database/embedded/embedded-postgres';
import { readPostmaster, stopPostmaster } from '#infra/database/embedded/postmaster';
import { processIdentity, worksIn } from '#infra/database/embedded/process-table';

const PREFIX = 'agate-test-postgres-';

/** Settings that trade durability for speed. */
const THROWAWAY_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '200',
  autovacuum: 'off',
  jit: 'off',
};

/** The PostgreSQL of one Jest run: a new cluster in a temporary folder, which `stop` deletes. */
export async function startTestPostgres(): Promise<{ url: string; ownerUrl: string; stop: () => Promise<void> }> {
  await removeLeftovers();
  const folder = await mkdtemp(path.join(tmpdir(), `${PREFIX}${process.pid}-`));
  await chmod(folder, 0o711);
  const messages: string[] = [];
  const log = (message: string) => messages.push(message);
  const postgres = await startEmbeddedPostgres({
    dataDirectory: path.join(folder, 'postgres'),
    settings: THROWAWAY_SETTINGS,
    log,
  });
  const stop = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: postgres.url, ownerUrl: postgres.ownerUrl, stop };
}

/** Stops the clusters of killed runs. */
async function removeLeftovers(): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter((each) => each.startsWith(PREFIX))) {
    if (await processIdentity(Number.parseInt(name.slice(PREFIX.length), 10))) continue;
    const folder = path.join(tmpdir(), name);
    const cluster = path.join(folder, 'postgres/cluster');
    const server = await readPostmaster(cluster);
    if (server && (await worksIn(server.pid, cluster))) await stopPostmaster(server.pid);
    // A cluster may belong to another user.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
