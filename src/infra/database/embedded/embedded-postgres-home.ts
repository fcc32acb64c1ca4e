import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '#kernel/errors/startup-error';
import { createExclusively } from './lock-file';

/** The account PostgreSQL runs under; undefined: the one of this process. */
export type ServiceAccount = Readonly<{ name: string; uid: number; gid: number }> | undefined;

/** Where one embedded PostgreSQL keeps everything, and for whom. */
export interface PostgresHome {
  readonly directory: string;
  /** What PostgreSQL calls its data directory. */
  readonly cluster: string;
  readonly account: ServiceAccount;
}

/** Log lines for people. */
export type Log = (message: string) => void;

/** Where the data goes when the service account cannot reach the wanted place. It outlives a reboot, unlike /tmp. */
const FALLBACK_PARENT = '/var/tmp';

/**
 * Creates or finds the home of an embedded PostgreSQL. PostgreSQL refuses to run as root: root lends it to an account that
 * exists on the machine (none is created), or to the owner of a database that is already there.
 *
 * @throws StartupError when the folder belongs to somebody else or can no longer be reached.
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

/** The folder, of `directory` and those above it, that `account` may not pass through. */
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
    // macOS writes nobody's id as -2.
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
      `Let it pass (chmod a+x ${JSON.stringify(closed)}), or move the database.`,
  );
}

/** Settles in a place that `account` reaches, and leaves the address, so that a moved project still finds its data. */
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
    `PostgreSQL runs as ${account.name}, who may not enter ${closed}: its data is kept in ${directory} instead. ` +
      'Set DATA_DIR to a folder that every account may pass through to choose the place.',
  );
  return directory;
}

async function movedPlace(wanted: string, place: string): Promise<string> {
  if (await ifExists(place)) return place;
  throw new StartupError(
    `The database of ${wanted} was kept in ${place}, which is gone. ` +
      `Restore it, or remove ${path.join(wanted, 'location')} to start with an empty one.`,
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
      'Give it to an ordinary account (chown -R), which then runs it.',
  );
