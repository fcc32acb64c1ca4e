import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#infra/database/embedded/embedded-postgres';
import { findFreePort } from '#infra/database/embedded/free-port';
import { readPostmaster } from '#infra/database/embedded/postmaster';
import { processIdentity } from '#infra/database/embedded/process-table';

/** How PostgreSQL is told to stop: it rolls back and writes all down, or drops everything as in a crash. */
export type StopMode = 'fast' | 'immediate';

/** A PostgreSQL of one spec file's own, which may go away and come back on the same port. */
export class OwnPostgres {
  private constructor(
    /** A temporary folder; a service may keep its data here, too. */
    readonly dataDirectory: string,
    private readonly port: number,
    private server: EmbeddedPostgres,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'agate-outage-'));
    await chmod(folder, 0o711);
    const port = await findFreePort();
    return new OwnPostgres(folder, port, await launch(folder, port));
  }

  /** What a service is told of it. */
  get database(): { readonly url: string; readonly ownerUrl: string } {
    return this.server;
  }

  async stop(mode: StopMode = 'fast'): Promise<void> {
    if (mode === 'fast') return this.server.stop();
    const { pid } = (await readPostmaster(join(this.dataDirectory, 'postgres/cluster')))!;
    const identity = await processIdentity(pid);
    process.kill(pid, 'SIGQUIT');
    while ((await processIdentity(pid)) === identity) await sleep(20);
  }

  /** Resolves when it takes connections again. */
  async startAgain(): Promise<void> {
    this.server = await launch(this.dataDirectory, this.port);
  }

  /** As the owner, to look or to prepare. */
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
