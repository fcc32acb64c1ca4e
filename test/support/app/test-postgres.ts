import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#infra/database/embedded/embedded-postgres';
import { POSTGRES } from './run-folder';

/** Settings that trade durability for speed. */
const THROWAWAY_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  max_connections: '300',
  autovacuum: 'off',
  jit: 'off',
};

/** The PostgreSQL of one Jest run: a new cluster in the folder of the run. */
export const startTestPostgres = (folder: string): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    dataDirectory: path.join(folder, POSTGRES),
    settings: THROWAWAY_SETTINGS,
    log: () => undefined,
  });
