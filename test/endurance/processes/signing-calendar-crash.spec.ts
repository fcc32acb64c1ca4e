import { Client } from 'pg';
import { type ProjectRef } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { ServerProcess } from '../../support/processes/server-process';
import { until } from '../../support/until';

jest.setTimeout(300_000);

const PROJECTS = 4;
const DAY_MS = 86_400_000;
const SCHEDULE = 'builds.announce-signing-ends';
const WAITING = `pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
/** The sessions that wait for a session itself, and not for another worker, which will continue. */
const waitingFor = (pid: number): string => `pg_stat_activity WHERE ${pid} = ANY (pg_blocking_pids(pid))`;

/** Real workers are killed with SIGKILL inside the transaction of one project, while another one does the same work. */
describe('workers that are killed while they announce the ends of signatures', () => {
  let app: TestApp;
  let email: string;
  const projects: ProjectRef[] = [];
  const workers: ServerProcess[] = [];
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    const ann = await verifiedDeveloper(app);
    ({ email } = ann);
    const organization = await ann.createsOrganization();
    for (let n = 0; n < PROJECTS; n += 1) {
      const project = await ann.createsProject(organization, `Project ${n}`);
      const expiresAt = new Date(app.clock.now().getTime() + 6.5 * DAY_MS);
      for (const version of ['1', '2', '3']) {
        const bytes = ipa({ expiresAt, info: { CFBundleShortVersionString: version } });
        await ann.uploads(project, { bytes, fileName: 'Demo.ipa' });
      }
      projects.push(project);
    }
    projects.sort((a, b) => (a.id < b.id ? -1 : 1));
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
    await app.stop();
  });

  const rows = async (from: string): Promise<number> =>
    (await app.sql<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${from}`))[0]!.rows;
  const startsWorker = async (): Promise<ServerProcess> => {
    const worker = await ServerProcess.launch(app, { ROLE: 'worker' });
    workers.push(worker);
    return worker;
  };
  const announces = () => app.sql(`SELECT FROM graphile_worker.add_job('${SCHEDULE}', job_key => '${SCHEDULE}')`);

  /** Holds the lock of a row for which the workers wait, and kills them there. */
  const killedAt = async (row: string): Promise<void> => {
    const client = new Client({ connectionString: app.database.ownerUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT FROM ${row} FOR UPDATE`);
      const { pid } = (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!;
      const [first, second] = [await startsWorker(), await startsWorker()];
      await announces();
      await until(async () => (await rows(waitingFor(pid))) > 0);
      await Promise.all([first.kill(), second.kill()]);
    } finally {
      await client.end();
    }
    await until(async () => (await rows(WAITING)) === 0);
    await app.sql(`SELECT graphile_worker.force_unlock_workers(array(
      SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL))`);
  };

  // red when: the calendar is set before or after the transaction of the events
  it('announces each build once, and mails a manager once for each project', async () => {
    for (const { id, organizationId } of projects)
      await app.sql(`INSERT INTO signing_calendar VALUES ($1, $2, app_now() - interval '1 day')`, [organizationId, id]);
    // At the commit of the first project, whose events and mails are written; then between the second project and the third.
    await killedAt(`audit_chain WHERE id = '${projects[0]!.organizationId}'`);
    await killedAt(`signing_calendar WHERE project_id = '${projects[2]!.id}'`);
    expect(await rows(`audit_event WHERE type = 'build.signing_expires'`)).toBe(2 * 3);
    await startsWorker();
    await startsWorker();
    await announces();
    await until(
      async () => (await rows(`signing_calendar WHERE announced_until > app_now() - interval '1 hour'`)) === PROJECTS,
    );
    // A job of a killed worker that was queued again before it was unlocked stays, without attempts.
    await until(
      async () =>
        (await rows(
          'graphile_worker.jobs WHERE (run_at <= now() AND attempts < max_attempts) OR locked_at IS NOT NULL',
        )) === 0,
    );
    const events = await app.sql<{ build: string; events: number }>(
      `SELECT payload ->> 'build_id' AS build, count(*)::int AS events FROM audit_event
       WHERE type = 'build.signing_expires' GROUP BY 1`,
    );
    expect(events.map((row) => row.events)).toEqual(Array.from({ length: PROJECTS * 3 }, () => 1));
    const subjects = (await app.mailbox.all(email))
      .map(({ subject }) => subject)
      .filter((subject) => subject?.startsWith('Project '));
    expect(subjects.sort()).toEqual(projects.map((_, n) => `Project ${n}: the signing of 3 builds expires in 7 days`));
  });
});
