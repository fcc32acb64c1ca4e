import { chmod, chown, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '#kernel/errors/startup-error';

/** The account that PostgreSQL runs under. Undefined means this process's account. */
export type ServiceAccount = Readonly<{ name: string; uid: number; gid: number }> | undefined;

/** The folder of an embedded PostgreSQL and the account that owns it. */
export interface PostgresHome {
  readonly directory: string;
  /** PostgreSQL's data directory. */
  readonly cluster: string;
  readonly account: ServiceAccount;
  /**
   * True when the account may not enter a folder above `directory`. Its programs are then started in their data directory, which they
   * can use without its path (see `CURRENT_FOLDER`).
   */
  readonly isClosed: boolean;
}

/** Receives progress messages. */
export type Log = (message: string) => void;

/**
 * The current folder of the process that opens this path. It is a link to the folder itself, so no folder above it must be entered
 * (proc(5)). Linux only.
 */
export const CURRENT_FOLDER = '/proc/self/cwd';
const onLinux = process.platform === 'linux';

/**
 * Creates or finds the home of an embedded PostgreSQL in `wanted`. PostgreSQL refuses to run as root, so a process of root gives the
 * home to an existing account of the machine, or to the owner of an existing database.
 *
 * @param wanted an existing folder, without symbolic links in its path.
 * @throws StartupError when another user owns the folder, or the account cannot enter it.
 */
export async function prepareHome(wanted: string): Promise<PostgresHome> {
  const byRoot = process.getuid?.() === 0;
  const cluster = path.join(wanted, 'cluster');
  const { uid: owner, gid } = (await ifExists(cluster)) ?? (await stat(wanted));
  if (!byRoot) {
    if (process.getuid !== undefined && owner !== process.getuid()) throw belongsToAnother(wanted, owner);
    await chmod(wanted, 0o700);
    return { directory: wanted, cluster, account: undefined, isClosed: false };
  }
  const isOld = (await ifExists(path.join(cluster, 'PG_VERSION'))) !== undefined;
  if (isOld && owner === 0) throw belongsToRoot(cluster);
  const account = isOld ? { name: `uid ${owner}`, uid: owner, gid } : await serviceAccount();
  const closed = await closedFolder(path.dirname(wanted), account);
  if (closed !== undefined && !onLinux) throw notReachable(wanted, account, closed);
  await chmod(wanted, 0o700);
  await chown(wanted, account.uid, account.gid);
  return { directory: wanted, cluster, account, isClosed: closed !== undefined };
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

const notReachable = (directory: string, account: NonNullable<ServiceAccount>, closed: string) =>
  new StartupError(
    `PostgreSQL must run as the account ${account.name}, which may not enter ${closed}, so it cannot use ${directory}. ` +
      `Allow it (chmod a+x ${JSON.stringify(closed)}), or set DATA_DIR to a folder that every account may enter.`,
  );
