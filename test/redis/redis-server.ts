import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findFreePort } from '#infra/database/embedded/free-port';

/** A Redis of the machine's own (Debian's `redis-server`), in memory, on a port that stays the same when it is started again. */
export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(readonly port: number) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await findFreePort());
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

  /** What it holds under a key; null for nothing. */
  async read(key: string): Promise<string | null> {
    const client = new Redis(this.url);
    try {
      return await client.get(key);
    } finally {
      client.disconnect();
    }
  }

  /** It keeps its connections and says nothing. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  /** As a machine dies: without a good-bye. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
