import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeFreePort } from '../support/processes/free-port';
import { until } from '../support/until';

const CONFIGURATION = join(__dirname, '../../docker/nginx/edge.conf');

export interface EdgeOptions {
  /** URL of the bucket. */
  readonly bucket: string;
  readonly secret: string;
}

/**
 * The installed nginx (Debian's `nginx`) with docker/nginx/edge.conf, in which only addresses, folder, secret and TLS are replaced: it
 * listens without TLS on a local address.
 */
export class NginxEdge {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  static async start({ bucket, secret }: EdgeOptions): Promise<NginxEdge> {
    const folder = await mkdtemp(join(tmpdir(), 'agate-nginx-'));
    await chmod(folder, 0o755);
    const port = await takeFreePort();
    const { host, pathname } = new URL(bucket);
    const edge = (await readFile(CONFIGURATION, 'utf8'))
      .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
      .replace(/^ *ssl_.*$/gm, '')
      .replace('/var/cache/nginx/agate', join(folder, 'cache'))
      .replace('replace-this-secret', secret)
      .replaceAll('store:8333', host)
      .replace('http://agate_store/agate', `http://agate_store${pathname}`);
    const file = join(folder, 'nginx.conf');
    await writeFile(
      file,
      [
        'daemon off;',
        'worker_processes 1;',
        `pid ${join(folder, 'nginx.pid')};`,
        `error_log ${join(folder, 'error.log')} warn;`,
        'events {}',
        'http {',
        'access_log off;',
        ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
          (name) => `${name}_temp_path ${join(folder, name)};`,
        ),
        edge,
        '}',
      ].join('\n'),
    );
    const child = spawn('nginx', ['-e', join(folder, 'error.log'), '-c', file], { stdio: 'ignore' });
    const url = `http://127.0.0.1:${port}`;
    const nginx = new NginxEdge(child, folder, url);
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`nginx did not start:\n${await nginx.log()}`);
      return await fetch(url).catch(() => null);
    });
    return nginx;
  }

  log(): Promise<string> {
    return readFile(join(this.folder, 'error.log'), 'utf8');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
