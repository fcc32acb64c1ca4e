import { createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { lockWaiters } from '../app/lock-waiters';
import { TestApp } from '../app/test-app';
import { faultsOf } from '../checks/billing-consistency';
import { type CrashPlace } from '../processes/crash-places';
import { ServerProcess } from '../processes/server-process';
import { until } from '../until';
import { type Bearer, type ProjectRef, scope } from './actors';
import { SlowUpload } from './slow-upload';

/**
 * Uploads to a real server process, which can be killed and frozen. The application of the test is a second process of the
 * service: it runs the sweep and serves downloads.
 */
export class UploadFixture {
  /** Builds that were downloaded and compared in an earlier round. Later rounds only check that their blob exists. */
  private readonly known = new Set<string>();

  private constructor(
    readonly app: TestApp,
    readonly place: CrashPlace,
    readonly project: ProjectRef,
    readonly token: string,
    readonly ci: Bearer,
    public server: ServerProcess,
  ) {}

  static async start(place: CrashPlace): Promise<UploadFixture> {
    const app = await TestApp.start({ environment: place.environment });
    const ann = await app.developer();
    const organization = await ann.createsOrganization();
    // Many rounds advance the clock by weeks, and the trial credit expires after a month.
    await ann.changesPlan(organization, 'business');
    const project = await ann.createsProject(organization);
    const token = await ann.createsToken(project, 'MANAGE_PROJECT');
    const server = await ServerProcess.start(app, { ...place.environment, ROLE: 'api' });
    return new UploadFixture(app, place, project, token, app.ci(token), server);
  }

  async stop(): Promise<void> {
    this.server.signal('SIGCONT');
    await this.server.kill();
    await this.app.stop();
    await this.place.stop();
  }

  async restarts(): Promise<void> {
    this.server = await ServerProcess.start(this.app, { ...this.place.environment, ROLE: 'api' });
  }

  begins(bytes = randomBytes(this.place.fileBytes), headers = {}): SlowUpload {
    return new SlowUpload(this.server, this.token, this.project, bytes, headers);
  }

  async rows(from: string): Promise<number> {
    return (await this.app.sql<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${from}`))[0]!.rows;
  }

  until(what: () => Promise<boolean>): Promise<void> {
    return until(what);
  }

  /** Waits until this number of uploads have each stored at least this number of bytes. */
  arrived(uploads: number, leastBytes: number): Promise<void> {
    return this.until(
      async () => (await this.place.arrivedBytes(this.app)).filter((bytes) => bytes >= leastBytes).length >= uploads,
    );
  }

  keys(): Promise<string[]> {
    return this.place.keys(this.app);
  }

  /** Blocks every upload just before the commit of its build. */
  async whileCommitsWait(work: () => Promise<void>): Promise<void> {
    const client = new Client({ connectionString: this.app.database.ownerUrl });
    await client.connect();
    try {
      await client.query('BEGIN; LOCK TABLE audit_event IN ACCESS EXCLUSIVE MODE');
      await work();
    } finally {
      await client.end();
    }
  }

  waitingCommits(): Promise<number> {
    return this.rows(lockWaiters('audit_event'));
  }

  /** Downloads every build and compares it with the hash of its upload. */
  async expectOnlyWholeBuilds(): Promise<void> {
    const builds = await this.app.sql<{ id: string; sha256: Buffer; blob_key: string }>('SELECT * FROM build');
    expect(await this.keys()).toEqual(expect.arrayContaining(builds.map((build) => build.blob_key)));
    for (const { id, sha256 } of builds) {
      if (this.known.has(id)) continue;
      const minted = await this.ci.post(`/builds/${id}/download-url?${scope(this.project)}`).expect(200);
      const answer = await fetch(this.app.url + new URL((minted.body as { url: string }).url).pathname);
      expect(answer.status).toBe(200);
      const hash = createHash('sha256').update(Buffer.from(await answer.arrayBuffer()));
      expect(hash.digest()).toEqual(sha256);
    }
  }

  /** After all leases have expired: two sweeps of uploads and one of temporary files. */
  async expectNothingLeftAfterSweeps(): Promise<void> {
    const { app } = this;
    await this.expectOnlyWholeBuilds();
    await app.clock.advance({ minutes: 3 });
    await app.runsJob('builds.sweep-uploads');
    expect(await this.rows(`artifact_upload WHERE state = 'pending'`)).toBe(0);
    expect(await this.rows(`reservation WHERE state = 'active' AND kind = 'upload'`)).toBe(0);
    // Each build is charged once, and nothing else is charged.
    expect(await this.rows(`ledger_entry WHERE kind = 'usage_upload'`)).toBe(await this.rows('stored_build'));
    expect(await faultsOf(app)).toEqual([]);
    await app.clock.advance({ minutes: 16 });
    await app.runsJob('builds.sweep-uploads');
    expect(await this.rows('artifact_upload')).toBe(0);
    await app.clock.advance({ hours: 7 });
    await app.runsJob('storage.sweep-temporary');

    const builds = await app.sql<{ id: string; blob_key: string }>('SELECT id, blob_key FROM build');
    expect(await this.keys()).toEqual(builds.map((build) => build.blob_key).sort());
    expect(await this.place.remains(app)).toEqual([]);
    expect(await this.rows('graphile_worker.jobs WHERE attempts >= max_attempts')).toBe(0);
    await this.expectOnlyWholeBuilds();
    for (const { id } of builds) this.known.add(id);
  }
}
