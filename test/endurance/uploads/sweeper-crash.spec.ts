import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Bearer, type ProjectRef } from '../../support/actors/actors';
import { ResumableClient } from '../../support/actors/resumable-client';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { faultsOf } from '../../support/checks/billing-consistency';
import { ServerProcess } from '../../support/processes/server-process';
import { until } from '../../support/until';

jest.setTimeout(600_000);

/** Kills of the sweeper. The full run: `SWEEPER_ROUNDS=20 npm run test:endurance -- sweeper-crash`. */
const ROUNDS = Number(process.env['SWEEPER_ROUNDS'] ?? 2);
const UPLOADS = 4;
const MAC = { platform: 'macos', version: '1.0' };
const DROPPED = `audit_event WHERE type = 'build.upload_dropped'`;
const WAITING = `pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

/** Real workers are killed with SIGKILL while they sweep, each time at another upload of the batch. */
describe('a worker that is killed during its sweep', () => {
  let app: TestApp;
  let ci: Bearer;
  let project: ProjectRef;
  let worker: ServerProcess | undefined;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    const ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    ci = app.ci(await ann.createsToken(project, 'MANAGE_PROJECT'));
  });
  afterAll(async () => {
    await worker?.kill();
    await app.stop();
  });

  const rows = async (from: string): Promise<number> =>
    (await app.sql<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${from}`))[0]!.rows;
  const startsWorker = async (): Promise<ServerProcess> =>
    (worker = await ServerProcess.launch(app, { ROLE: 'worker' }));
  const sweeps = () =>
    app.sql(`SELECT FROM graphile_worker.add_job('builds.sweep-uploads', job_key => 'builds.sweep-uploads')`);
  const isIdle = async (): Promise<boolean> =>
    (await rows(
      'graphile_worker.jobs WHERE (run_at <= now() AND attempts < max_attempts) OR locked_at IS NOT NULL',
    )) === 0;
  const folders = async (): Promise<number> =>
    (await readdir(join(app.dataDirectory, 'artifacts/builds')).catch(() => [])).length;

  /** Makes expired uploads with one part each, in the order of the sweep. @returns their reservations */
  const expiredUploads = async (): Promise<string[]> => {
    const reservations: string[] = [];
    for (let n = 0; n < UPLOADS; n++) {
      const upload = await ResumableClient.start(ci, project, { bytes: randomBytes(1_000), fileName: 'Demo.dmg' }, MAC);
      expect((await upload.send(1)).status).toBe(204);
      const [row] = await app.sql<{ reservation_id: string }>(
        `UPDATE artifact_upload SET leased_until = app_now() - make_interval(mins => 10 - $2) WHERE id = $1 RETURNING reservation_id`,
        [upload.id, n],
      );
      reservations.push(row!.reservation_id);
    }
    return reservations;
  };

  /** Blocks the sweep inside the transaction of one upload, and kills the worker there. */
  const killedAt = async (reservation: string): Promise<void> => {
    const client = new Client({ connectionString: app.database.url });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM reservation WHERE id = $1 FOR UPDATE', [reservation]);
      await sweeps();
      const running = await startsWorker();
      await until(async () => (await rows(WAITING)) > 0);
      await running.kill();
    } finally {
      await client.end();
    }
    await until(async () => (await rows(WAITING)) === 0);
    // Running workers do this ten seconds later (test/integration/jobs/jobs.spec.ts).
    await app.sql(`SELECT graphile_worker.force_unlock_workers(array(
      SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL))`);
  };

  // red when: an upload that was swept before the kill is swept again, or is abandoned in another transaction than its release
  it('leaves the rest to the next worker, and each upload is swept once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const at = round % UPLOADS;
      const reservations = await expiredUploads();
      await killedAt(reservations[at]!);
      expect({ round, abandoned: await rows(`artifact_upload WHERE state = 'abandoned'`) }).toEqual({
        round,
        abandoned: at,
      });
      expect(await rows(DROPPED)).toBe(round * UPLOADS + at);

      const next = await startsWorker();
      await until(async () => (await rows(`artifact_upload WHERE state = 'pending'`)) === 0 && (await isIdle()));
      expect(await rows(`reservation WHERE state <> 'released'`)).toBe(0);
      expect(await rows(DROPPED)).toBe((round + 1) * UPLOADS);
      expect(await folders()).toBe(0);
      expect(await faultsOf(app)).toEqual([]);

      // The second deletion, after the last byte can have arrived.
      await app.sql('UPDATE artifact_upload SET leased_until = app_now()');
      await sweeps();
      await until(async () => (await rows('artifact_upload')) === 0 && (await isIdle()));
      await next.kill();
    }
    expect(await rows('graphile_worker.jobs WHERE attempts >= max_attempts')).toBe(0);
  });
});
