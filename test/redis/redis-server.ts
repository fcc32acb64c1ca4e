import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { takeFreePort } from '../support/processes/free-port';

/** The installed Redis (Debian's `redis-server`), in memory. Its port stays the same after a restart. */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(readonly port: number) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await takeFreePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn('redis-server', options, { stdio: 'ignore' });
    await once(this.child, 'spawn');
    const client = new Redis(this.url, { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => undefined);
    while (
      (await client
        .connect()
        .then(() => client.ping())
        .catch(() => '')) !== 'PONG'
    )
      await sleep(20);
    client.disconnect();
  }

  /** The value of a key; null when it does not exist. */
  async read(key: string): Promise<string | null> {
    const client = new Redis(this.url);
    try {
      return await client.get(key);
    } finally {
      client.disconnect();
    }
  }

  /** Suspends the process: connections stay open, but nothing responds. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  /** Kills the process without a shutdown. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
