import { cp, lstat, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartupError } from '#kernel/errors/startup-error';
import { closedFolder, type PostgresHome } from './embedded-postgres-home';

/** Programs of PostgreSQL for accounts that cannot enter the project's folder. */
const SHARED = '/var/lib/agate-postgres';

/**
 * Finds PostgreSQL in the optional npm package of this operating system and makes it runnable for the home's account. Creates the library
 * links that the package's install script would create (npm may block it), and copies the package into the home when the account
 * cannot read the project's folder, or when the links cannot be created there. The copy is in the home, or in /var/lib when the account
 * cannot run programs in the home; it holds no data.
 *
 * @returns the folder with `bin`, `lib` and `share`.
 * @throws StartupError when the package is not installed.
 */
export async function prepareBinaries(home: PostgresHome): Promise<string> {
  const packageFolder = locatePackage();
  const native = path.join(packageFolder, 'native');
  const reachable = (await closedFolder(native, home.account)) === undefined;
  if (reachable && (await linkLibraries(native))) return native;

  const { version } = JSON.parse(await readFile(path.join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = path.join(home.isClosed ? await sharedFolder(home) : home.directory, `binaries-${version}`);
  if (await stat(copy).catch(() => undefined)) return copy;
  const draft = `${copy}.draft`;
  await rm(draft, { recursive: true, force: true });
  // `cp` would copy the mode of a closed folder (0700).
  await mkdir(draft, { mode: 0o755 });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(draft);
  await rename(draft, copy);
  return copy;
}

/** @throws StartupError when it cannot be created. */
async function sharedFolder({ directory }: PostgresHome): Promise<string> {
  try {
    await mkdir(SHARED, { recursive: true, mode: 0o755 });
    return SHARED;
  } catch (cause) {
    throw new StartupError(
      `PostgreSQL must not run as root, its account may not enter a folder above ${directory}, and ${SHARED} cannot be created. ` +
        'Set DATA_DIR to a folder that every account may enter.',
      { cause },
    );
  }
}

function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const umbrella = createRequire(__filename).resolve('embedded-postgres');
    return path.resolve(path.dirname(createRequire(umbrella).resolve(name)), '..');
  } catch (cause) {
    throw new StartupError(
      `The embedded PostgreSQL for this operating system (npm package ${name}) is not installed. ` +
        'Set DATABASE_URL to a PostgreSQL 15 or later, or install it: npm ci --include=optional.',
      { cause },
    );
  }
}

/** Creates the missing links of the package's list. False when this account may not write there. */
async function linkLibraries(native: string): Promise<boolean> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = path.join(native, path.relative('native', target));
    if (await lstat(link).catch(() => undefined)) continue;
    try {
      await symlink(path.relative(path.dirname(target), source), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}
