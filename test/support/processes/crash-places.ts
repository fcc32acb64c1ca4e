import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageService } from '#modules/storage';
import { type TestApp } from '../app/test-app';
import { type CloudPlace, isPart } from '../servers/stores/cloud-places';
import { type ServerProcess } from './server-process';

const MIB = 1024 * 1024;

/** A store for crash tests, with ways to observe the progress of uploads and what a killed process leaves behind. */
export interface CrashPlace {
  /** Configuration of a service that uses the store. */
  readonly environment: Readonly<Record<string, string>>;
  /** Size of a file that takes several writes. */
  readonly fileBytes: number;
  /** Bytes of a file that a process may hold in memory until it has received all. */
  readonly heldBytes: number;
  /** Stored bytes of each upload in progress. */
  arrivedBytes(app: TestApp): Promise<number[]>;
  /** The keys of all artifacts, sorted. */
  keys(app: TestApp): Promise<string[]>;
  /** All other visible objects, which must be gone at the end of a test. */
  remains(app: TestApp): Promise<string[]>;
  /** Number of complete parts of resumable uploads, stored through these servers or directly at the store. */
  takenParts(servers: readonly ServerProcess[]): number;
  stop(): Promise<void>;
}

/** The names of all files in a folder of the artifacts. */
export async function filesIn(app: TestApp, folder: string): Promise<string[]> {
  const path = join(app.dataDirectory, 'artifacts', folder);
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort();
}

export const onDisk: CrashPlace = {
  environment: {},
  fileBytes: 3 * MIB,
  heldBytes: MIB,
  arrivedBytes: async (app) =>
    Promise.all(
      (await filesIn(app, '.incoming')).map(async (name) =>
        stat(join(app.dataDirectory, 'artifacts/.incoming', name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    ),
  keys: async (app) => (await filesIn(app, 'builds')).map((name) => `builds/${name.replace(/\.blob$/, '')}`),
  remains: async (app) => [...(await filesIn(app, '.incoming')), ...(await filesIn(app, '.parts'))],
  takenParts: (servers) =>
    servers.flatMap(({ lines }) => lines).filter((line) => /PUT .*\/parts\/\[token\] 204/.test(line)).length,
  stop: () => Promise.resolve(),
};

/** A cloud store behind a proxy. */
export async function inTheCloud(start: () => Promise<CloudPlace>): Promise<CrashPlace> {
  const { environment, proxy, unfinished } = await start();
  const keysUnder = async (app: TestApp, prefix: string): Promise<string[]> => {
    const keys = [];
    const store = await app.nest.get(StorageService, { strict: false }).storeOf(app.systemContext, 'hosted');
    for await (const { key } of store.list(prefix)) keys.push(key);
    return keys.sort();
  };
  return {
    environment,
    fileBytes: 17 * MIB,
    heldBytes: 8 * MIB,
    arrivedBytes: async (app) => {
      const uploads = await app.sql<{ key: string }>(`SELECT blob_key AS key FROM artifact_upload`);
      return uploads.map(({ key }) =>
        proxy.seen
          .filter(({ method, url }) => method === 'PUT' && url.pathname.endsWith(key))
          .reduce((total, { headers }) => total + Number(headers['content-length']), 0),
      );
    },
    keys: (app) => keysUnder(app, 'builds/'),
    remains: async (app) => [
      // The service marks the bucket as its own by an hourly job, which may run during a test.
      ...(await keysUnder(app, '')).filter((key) => !/^(builds|installations)\//.test(key)),
      ...unfinished(),
    ],
    takenParts: () => proxy.seen.filter(isPart).length,
    stop: () => proxy.stop(),
  };
}
