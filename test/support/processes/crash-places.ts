import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageService } from '#modules/storage';
import { type CloudPlace, isPart } from '../servers/cloud-places';
import { type ServerProcess } from './server-process';
import { type TestApp } from '../app/test-app';

const MIB = 1024 * 1024;

/** Where artifacts go when a process is killed, and how to see how far it has come. */
export interface CrashPlace {
  /** Configuration that leads there. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of a file that takes several writes. */
  readonly fileBytes: number;
  /** What a process may hold back of a file until it has all of it. */
  readonly heldBytes: number;
  /** How much of each upload on its way is there. */
  arrivedBytes(app: TestApp): Promise<number[]>;
  /** The keys of all artifacts, sorted. */
  keys(app: TestApp): Promise<string[]>;
  /** Whatever else there is that somebody could see. */
  remains(app: TestApp): Promise<string[]>;
  /** How many parts of resumable uploads were taken whole, by these servers or past them. */
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

/** A store that others see, too. */
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
