import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { readPostmaster } from '#infra/database/embedded/postmaster';
import { takeFreePort } from '../processes/free-port';
import { until } from '../until';
import { type OwnPostgres } from './own-postgres';

/** A streaming standby of a PostgreSQL server, by the same program. */
export class StandbyPostgres {
  private constructor(
    private readonly folder: string,
    private readonly server: ChildProcess,
    /** Connects as the owner. */
    readonly ownerUrl: string,
  ) {}

  /** Stops the primary, copies it, and starts both. Resolves when the standby streams. */
  static async of(primary: OwnPostgres): Promise<StandbyPostgres> {
    const source = join(primary.dataDirectory, 'postgres/cluster');
    const program = await readlink(`/proc/${(await readPostmaster(source))!.pid}/exe`);
    await primary.stop();
    const folder = await mkdtemp(join(tmpdir(), 'agate-standby-'));
    await chmod(folder, 0o711);
    const cluster = join(folder, 'cluster');
    // Keeps the owner of the files.
    execFileSync('cp', ['-a', source, cluster]);
    await primary.startAgain();
    const { port, username, password } = new URL(primary.database.ownerUrl);
    const login = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`;
    await writeFile(join(cluster, 'standby.signal'), '');
    await appendFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${login}'\n`);
    const server = await launch(program, { source, cluster }, await takeFreePort());
    const url = Object.assign(new URL(primary.database.ownerUrl), { port: String(server.port) }).href;
    const standby = new StandbyPostgres(folder, server.child, url);
    await until(
      async () => (await standby.sql('SELECT FROM pg_stat_wal_receiver WHERE status = $1', ['streaming'])).length === 1,
    );
    return standby;
  }

  /** Runs SQL as the owner. Empty while the server does not accept connections. */
  async sql<Row = Record<string, unknown>>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.ownerUrl });
    try {
      await client.connect();
      return (await client.query(text, parameters)).rows as Row[];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED' || code === '57P03') return [];
      throw error;
    } finally {
      await client.end();
    }
  }

  /** Receives nothing more from the primary. */
  async disconnect(): Promise<void> {
    await this.sql(`ALTER SYSTEM SET primary_conninfo = ''`);
    await this.sql('SELECT pg_reload_conf()');
    await until(async () => (await this.sql('SELECT FROM pg_stat_wal_receiver')).length === 0);
  }

  /** Resolves when it accepts changes. */
  async promote(): Promise<void> {
    const promoted = await this.sql<{ done: boolean }>('SELECT pg_promote() AS done');
    if (!promoted[0]?.done) throw new Error('The standby was not promoted.');
  }

  async remove(): Promise<void> {
    if (this.server.exitCode === null && this.server.signalCode === null) {
      const ended = once(this.server, 'exit');
      this.server.kill('SIGQUIT');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Starts a server under the account that owns the other one's files, because PostgreSQL does not run as root. */
async function launch(
  program: string,
  { source, cluster }: { readonly source: string; readonly cluster: string },
  port: number,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const { uid, gid } = await stat(source);
  const settings = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', fsync: 'off' };
  const child = spawn(
    program,
    ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { stdio: 'ignore', uid, gid, cwd: cluster, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } },
  );
  await once(child, 'spawn');
  return { child, port };
}
