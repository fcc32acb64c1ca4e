import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeFreePort } from '../support/processes/free-port';
import { until } from '../support/until';

/** A PgBouncer in transaction mode in front of the database of a URL. */
export class PgBouncer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    /** The URL of the same database through the pooler. */
    readonly url: string,
  ) {}

  /** @param settings further lines of its section `[pgbouncer]`. */
  static async start(databaseUrl: string, settings: readonly string[] = []): Promise<PgBouncer> {
    const { hostname, port, username, password, pathname } = new URL(databaseUrl);
    const folder = await mkdtemp(join(tmpdir(), 'agate-pgbouncer-'));
    const ownPort = await takeFreePort();
    const name = pathname.slice(1);
    const target = [
      `host=${hostname}`,
      `port=${port || '5432'}`,
      `dbname=${name}`,
      `user=${decodeURIComponent(username)}`,
      ...(password ? [`password=${decodeURIComponent(password)}`] : []),
    ];
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(
      file,
      [
        '[databases]',
        `${name} = ${target.join(' ')}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${ownPort}`,
        'unix_socket_dir =',
        'auth_type = any',
        'pool_mode = transaction',
        'default_pool_size = 4',
        ...settings,
        '',
      ].join('\n'),
    );
    await chmod(folder, 0o755);
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn('pgbouncer', [...user, file], { stdio: 'ignore' });
    await until(() => accepts(ownPort));
    const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(ownPort) });
    return new PgBouncer(child, folder, url.href);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    await rm(this.folder, { recursive: true, force: true });
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
