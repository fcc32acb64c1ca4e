import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '#kernel/errors/startup-error';
import { createExclusively } from './lock-file';

/** The account that PostgreSQL runs under. Undefined means this process's account. */
export type ServiceAccount = Readonly<{ name: string; uid: number; gid: number }> | undefined;

/** The folder of an embedded PostgreSQL and the account that owns it. */
export interface PostgresHome {
  readonly directory: string;
  /** PostgreSQL's data directory. */
  readonly cluster: string;
  readonly account: ServiceAccount;
}

/** Receives progress messages. */
export type Log = (message: string) => void;

/** Holds the data when the service account cannot enter the wanted folder. Unlike /tmp, it survives a reboot. */
const FALLBACK_PARENT = '/var/tmp';

/**
 * Creates or finds the home of an embedded PostgreSQL. PostgreSQL refuses to run as root, so a process of root gives the home to an
 * existing account of the machine, or to the owner of an existing database.
 *
 * @throws StartupError when another user owns the folder, or the account cannot enter it.
 */
export async function prepareHome(dataDirectory: string, log: Log): Promise<PostgresHome> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o711 });
  const wanted = await realpath(dataDirectory);
  const byRoot = process.getuid?.() === 0;
  const moved = await readFile(path.join(wanted, 'location'), 'utf8').catch(() => undefined);
  const place = moved === undefined ? wanted : await movedPlace(wanted, moved.trim());
  const cluster = path.join(place, 'cluster');
  const { uid: owner, gid } = (await ifExists(cluster)) ?? (await stat(place));
  if (!byRoot) {
    if (process.getuid !== undefined && owner !== process.getuid()) throw belongsToAnother(place, owner);
    await chmod(place, 0o700);
    return { directory: place, cluster, account: undefined };
  }
  if (await ifExists(path.join(cluster, 'PG_VERSION'))) {
    if (owner === 0) throw belongsToRoot(cluster);
    return reachableHome(place, { name: `uid ${owner}`, uid: owner, gid });
  }
  const account = await serviceAccount();
  const closed = await closedFolder(path.dirname(place), account);
  const directory = closed === undefined || moved !== undefined ? place : await moveHome(wanted, closed, account, log);
  await chmod(directory, 0o700);
  await chown(directory, account.uid, account.gid);
  return { directory, cluster: path.join(directory, 'cluster'), account };
}

/** Writes a file that only the owner of the home may read. */
export async function writePrivately(home: PostgresHome, file: string, content: string): Promise<void> {
  await writeFile(file, content, { mode: 0o600 });
  if (home.account) await chown(file, home.account.uid, home.account.gid);
}

/** The first folder, from `directory` upward, that `account` may not enter. Undefined when there is none. */
export async function closedFolder(directory: string, account: ServiceAccount): Promise<string | undefined> {
  if (account === undefined) return undefined;
  for (let folder = path.resolve(directory); ; folder = path.dirname(folder)) {
    const { uid, gid, mode } = await stat(folder);
    const mayPass = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & mayPass) === 0) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

async function serviceAccount(): Promise<NonNullable<ServiceAccount>> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const wanted of ['postgres', '_postgres', 'nobody']) {
    const [name, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    // macOS writes the id of "nobody" as -2.
    if (name !== undefined) return { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  throw new StartupError(
    'PostgreSQL refuses to run as root, and this machine has no account "postgres" or "nobody" to run it under. ' +
      'Start Agate as an ordinary user, or set DATABASE_URL.',
  );
}

async function reachableHome(directory: string, account: NonNullable<ServiceAccount>): Promise<PostgresHome> {
  const closed = await closedFolder(directory, account);
  if (closed === undefined) return { directory, cluster: path.join(directory, 'cluster'), account };
  throw new StartupError(
    `The account that owns the database in ${directory} (${account.name}) may not enter ${closed}. ` +
      `Allow it (chmod a+x ${JSON.stringify(closed)}), or move the database.`,
  );
}

/** Creates a home that `account` can enter, and records its path, so that a moved project still finds its data. */
async function moveHome(
  wanted: string,
  closed: string,
  account: NonNullable<ServiceAccount>,
  log: Log,
): Promise<string> {
  const directory = await mkdtemp(path.join(FALLBACK_PARENT, 'agate-postgres-'));
  if (!(await createExclusively(path.join(wanted, 'location'), `${directory}\n`))) {
    await rm(directory, { recursive: true });
    return (await readFile(path.join(wanted, 'location'), 'utf8')).trim();
  }
  log(
    `PostgreSQL runs as ${account.name}, which may not enter ${closed}. Its data is kept in ${directory} instead. ` +
      'To choose the place, set DATA_DIR to a folder that every account may enter.',
  );
  return directory;
}

async function movedPlace(wanted: string, place: string): Promise<string> {
  if (await ifExists(place)) return place;
  throw new StartupError(
    `The database of ${wanted} was kept in ${place}, which does not exist. ` +
      `Restore it, or delete ${path.join(wanted, 'location')} to start with an empty database.`,
  );
}

const ifExists = (file: string) => stat(file).catch(() => undefined);

const belongsToAnother = (place: string, owner: number) =>
  new StartupError(
    `The database folder ${place} belongs to another user (uid ${owner}). Start Agate as that user, or set DATA_DIR.`,
  );

const belongsToRoot = (cluster: string) =>
  new StartupError(
    `The database in ${cluster} belongs to root, and PostgreSQL refuses to run as root. ` +
      'Give it to another account (chown -R).',
  );
