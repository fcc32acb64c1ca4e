import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { StartupError } from '#kernel/errors/startup-error';
import { prepareBinaries } from './embedded-postgres-binaries';
import { CURRENT_FOLDER, type Log, type PostgresHome, prepareHome, writePrivately } from './embedded-postgres-home';
import { takeBack } from './former-home';
import { findFreePort, isPortFree } from './free-port';
import { type LockFile, tryLockFile } from './lock-file';
import { findRunningPostmaster, type Postmaster, readPostmaster, stopPostmaster } from './postmaster';
import { rotateLog } from './server-log';

export interface EmbeddedPostgresOptions {
  /** Created on the first start. */
  readonly dataDirectory: string;
  /** Required port. By default a free port, the same at every start where possible. */
  readonly port?: number;
  /** Additional server settings, such as `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly log: Log;
  /** Called when the process of the server runs, before it accepts connections. Not called for a server that already ran. */
  readonly onLaunch?: () => void;
}

export interface EmbeddedPostgres {
  /** Connects to the database `agate` on 127.0.0.1 as the application's role. Contains the password. */
  readonly url: string;
  /** Connects as the owner of the schema, the server's superuser. Contains the password. */
  readonly ownerUrl: string;
  /** True when the server was already running, because the process that started it was killed. */
  readonly adopted: boolean;
  /** Disconnects all clients and stops the server. Resolves when its process has ended. */
  stop(): Promise<void>;
}

const OWNER = 'agate';
const APPLICATION = 'agate_app';
const DATABASE = 'agate';
const START_TIMEOUT_MS = 120_000;
const POLL_MS = 20;
const PORT_ATTEMPTS = 5;

/**
 * Starts the PostgreSQL of the npm package on `dataDirectory`, or adopts a server that still runs there, and waits until it accepts
 * connections. The server has a process group of its own, so that Ctrl-C does not reach it and this process stops it last. It keeps
 * running when this process is killed.
 *
 * @throws StartupError with advice.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    await mkdir(options.dataDirectory, { recursive: true, mode: 0o711 });
    const directory = await realpath(options.dataDirectory);
    const home = await prepareHome(directory);
    const lock = await waitForLock(path.join(directory, 'start.lock'));
    try {
      // A database that was kept elsewhere may belong to another account.
      return await startIn((await takeBack(directory, options.log)) ? await prepareHome(directory) : home, options);
    } finally {
      await lock.release();
    }
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartupError(`PostgreSQL cannot start in ${options.dataDirectory}: ${reason}.`, { cause });
  }
}

async function startIn(home: PostgresHome, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const password = await keepPassword(home, passwordFile(home));
  const applicationPassword = await keepPassword(home, path.join(home.directory, 'application-password'));
  const running = await findRunningPostmaster(home.cluster);
  if (running) options.log(`PostgreSQL already runs in ${home.directory} (process ${running.pid}). Using it.`);
  const { pid, port } = running ?? (await launch(home, options));
  const urlOf = (login: string, database: string) => `postgres://${login}@127.0.0.1:${port}/${database}`;
  const owner = `${OWNER}:${password}`;
  try {
    await ensureDatabase(urlOf(owner, 'postgres'), applicationPassword);
  } catch (error) {
    if (!running) await stopPostmaster(pid);
    throw error;
  }
  const rotation = rotateLog(logFile(home), options.log);
  let stopped: Promise<void> | undefined;
  return {
    url: urlOf(`${APPLICATION}:${applicationPassword}`, DATABASE),
    ownerUrl: urlOf(owner, DATABASE),
    adopted: running !== undefined,
    stop: () => {
      rotation.stop();
      return (stopped ??= stopPostmaster(pid));
    },
  };
}

async function launch(home: PostgresHome, options: EmbeddedPostgresOptions): Promise<Postmaster> {
  const binaries = await prepareBinaries(home);
  await ensureCluster(home, binaries, options);
  const portFile = path.join(home.directory, 'port');
  const remembered = Number(await readFile(portFile, 'utf8').catch(() => '')) || undefined;
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await findFreePort(attempt === 1 ? remembered : undefined));
    if (port === options.port && !(await isPortFree(port))) {
      throw new StartupError(
        `Port ${port} on 127.0.0.1, required for PostgreSQL, is in use. Free it or choose another.`,
      );
    }
    const ready = await launchOn(port, home, binaries, options);
    if (ready) {
      if (port !== remembered) await rememberPort(home, portFile, ready);
      return ready;
    }
    const log = await readFile(logFile(home), 'utf8');
    const isPortTaken = log.includes('could not create any TCP/IP sockets');
    if (!isPortTaken || attempt === PORT_ATTEMPTS) throw serverFailure(home, log);
  }
}

/** Undefined when the server exits instead of becoming ready. A server that does not become ready is stopped. */
async function launchOn(
  port: number,
  home: PostgresHome,
  binaries: string,
  options: EmbeddedPostgresOptions,
): Promise<Postmaster | undefined> {
  const program = path.join(binaries, 'bin', 'postgres');
  const args = serverArguments(home, port, options);
  const server = await spawnInHome(home, program, args, { folder: home.cluster, output: logFile(home) });
  options.onLaunch?.();
  try {
    return await waitUntilReady(server, home);
  } catch (error) {
    if (server.pid !== undefined) await stopPostmaster(server.pid);
    throw error;
  }
}

/** Stores the port for the next start. Stops the server when that fails, for example because the disk is full. */
async function rememberPort(home: PostgresHome, portFile: string, { pid, port }: Postmaster): Promise<void> {
  try {
    await writePrivately(home, portFile, `${port}\n`);
  } catch (error) {
    await stopPostmaster(pid);
    throw error;
  }
}

/** Creates the database cluster under a draft name and renames it, so that an interrupted start leaves no partial cluster. */
async function ensureCluster(home: PostgresHome, binaries: string, options: EmbeddedPostgresOptions): Promise<void> {
  const version = await readFile(path.join(home.cluster, 'PG_VERSION'), 'utf8').catch(() => undefined);
  const control = await readFile(path.join(binaries, 'share/postgresql/postgres.bki'), 'latin1');
  const ours = /^# PostgreSQL (\d+)/.exec(control)?.[1];
  if (version !== undefined) {
    if (version.trim() === ours) return;
    throw new StartupError(
      `PostgreSQL ${version.trim()} created the database in ${home.cluster}; this version of Agate has PostgreSQL ${ours}. ` +
        'Make a backup with the previous version of Agate and restore it into an empty DATA_DIR.',
    );
  }
  options.log(`Creating a PostgreSQL ${ours} database in ${home.directory}.`);
  const draft = `${home.cluster}.draft`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  if (home.account) await chown(draft, home.account.uid, home.account.gid);
  const output = path.join(home.directory, 'initdb.log');
  // The built-in locale provider sorts and folds case identically on every machine, and the C locale exists on all of them.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const login = [`--username=${OWNER}`, '--auth=scram-sha-256', '--pwfile=../password'];
  const durability = options.settings?.['fsync'] === 'off' ? ['--no-sync'] : [];
  const initdb = path.join(binaries, 'bin', 'initdb');
  const target = home.isClosed ? CURRENT_FOLDER : draft;
  const args = ['-D', target, ...login, ...locale, ...durability];
  const child = await spawnInHome(home, initdb, args, { folder: draft, output });
  while (isRunning(child)) await sleep(POLL_MS);
  if (child.exitCode !== 0) throw serverFailure(home, await readFile(output, 'utf8'));
  await rename(draft, home.cluster);
  await rm(output);
}

function serverArguments(home: PostgresHome, port: number, options: EmbeddedPostgresOptions): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The log explains a failed start and is truncated at every start. It must not contain statements, which hold personal data.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    // The default is made for a rotating disk: the planner would read and sort all rows that match instead of the first ones of an index.
    random_page_cost: '1.1',
    ...options.settings,
  };
  const folder = home.isClosed ? CURRENT_FOLDER : home.cluster;
  return ['-D', folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * Runs a PostgreSQL program under the home's account in a folder, with a clean environment, and writes its output to a file. Node enters
 * the folder before it changes the account.
 */
async function spawnInHome(
  home: PostgresHome,
  program: string,
  args: string[],
  { folder, output }: { readonly folder: string; readonly output: string },
): Promise<ChildProcess> {
  await writePrivately(home, output, '');
  const file = await open(output, 'a');
  try {
    const child = spawn(program, args, {
      ...(home.account && { uid: home.account.uid, gid: home.account.gid }),
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['ignore', file.fd, file.fd],
      detached: true,
    });
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (cause) => reject(notRunnable(program, cause)));
    });
    child.unref();
    return child;
  } finally {
    await file.close();
  }
}

/** Waits until the server's lock file says that it accepts connections. Undefined when the server exits instead. */
async function waitUntilReady(server: ChildProcess, home: PostgresHome): Promise<Postmaster | undefined> {
  const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
  while (isRunning(server)) {
    const found = await readPostmaster(home.cluster);
    if (found?.pid === server.pid && found?.status === 'ready') return found;
    if (timeout.aborted) {
      throw new StartupError(`PostgreSQL is not ready after ${START_TIMEOUT_MS / 1000} seconds; see ${logFile(home)}.`);
    }
    await sleep(POLL_MS);
  }
  return undefined;
}

/** Logs in, which also authenticates the server (SCRAM is mutual), and creates the database and the application's role if missing. */
async function ensureDatabase(url: string, applicationPassword: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
    const role = await client.query('select from pg_roles where rolname = $1', [APPLICATION]);
    if (role.rowCount === 0) await client.query(`create role ${APPLICATION}`);
    // The password is set at every start, because an older installation may have another one. So it need not survive a crash.
    await client.query('set synchronous_commit = off');
    await client.query(`alter role ${APPLICATION} login password ${client.escapeLiteral(applicationPassword)}`);
  } finally {
    await client.end();
  }
}

/** Returns the password in `file`. Creates a random one on the first start, readable only by the owner of the data. */
async function keepPassword(home: PostgresHome, file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined && kept.trim() !== '') return kept.trim();
  const password = randomBytes(24).toString('base64url');
  await writePrivately(home, file, `${password}\n`);
  return password;
}

async function waitForLock(file: string): Promise<LockFile> {
  const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
  for (;;) {
    const lock = await tryLockFile(file);
    if (!('heldBy' in lock)) return lock;
    if (timeout.aborted) {
      throw new StartupError(
        `Process ${lock.heldBy} is still starting PostgreSQL here after two minutes (${file}). Stop it and start again.`,
      );
    }
    await sleep(POLL_MS);
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null;

const logFile = (home: PostgresHome) => path.join(home.directory, 'server.log');

const passwordFile = (home: PostgresHome) => path.join(home.directory, 'password');

function serverFailure(home: PostgresHome, output: string): StartupError {
  const lines = output.trim().split('\n').slice(-5).join('\n  ');
  return new StartupError(`PostgreSQL cannot start in ${home.directory}. Its output:\n  ${lines || '(none)'}`);
}

const notRunnable = (program: string, cause: Error) =>
  new StartupError(
    `PostgreSQL cannot be run (${program}: ${cause.message}). It needs Linux with glibc, or macOS. Elsewhere set DATABASE_URL.`,
    { cause },
  );
