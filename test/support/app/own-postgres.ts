import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#infra/database/embedded/embedded-postgres';
import { readPostmaster } from '#infra/database/embedded/postmaster';
import { processIdentity } from '#infra/database/embedded/process-table';
import { takeFreePort } from '../processes/free-port';
import { until } from '../until';

/** The two ways to stop PostgreSQL: an orderly stop with a checkpoint, or an immediate one, as in a crash. */
export type StopMode = 'fast' | 'immediate';

/** A PostgreSQL for one spec file, which can be stopped and restarted on the same port. */
export class OwnPostgres {
  private constructor(
    /** A temporary folder, which a service may use as its data directory. */
    readonly dataDirectory: string,
    private readonly port: number,
    private server: EmbeddedPostgres,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'agate-outage-'));
    await chmod(folder, 0o711);
    const port = await takeFreePort();
    return new OwnPostgres(folder, port, await launch(folder, port));
  }

  /** Environment variables for a service that uses this database. */
  get database(): { readonly url: string; readonly ownerUrl: string } {
    return this.server;
  }

  async stop(mode: StopMode = 'fast'): Promise<void> {
    if (mode === 'fast') return this.server.stop();
    const { pid } = (await readPostmaster(join(this.dataDirectory, 'postgres/cluster')))!;
    const identity = await processIdentity(pid);
    process.kill(pid, 'SIGQUIT');
    await until(async () => (await processIdentity(pid)) !== identity);
  }

  /** Resolves when the server accepts connections again. */
  async startAgain(): Promise<void> {
    this.server = await launch(this.dataDirectory, this.port);
  }

  /** Runs SQL as the owner. */
  async sql<Row = Record<string, unknown>>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.database.ownerUrl });
    await client.connect();
    try {
      return (await client.query(text, parameters)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.dataDirectory, { recursive: true, force: true });
  }
}

const launch = (folder: string, port: number): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    dataDirectory: join(folder, 'postgres'),
    port,
    settings: { fsync: 'off' },
    log: () => undefined,
  });
