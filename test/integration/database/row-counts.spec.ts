import { Client } from 'pg';
import { RowCountsService } from '#infra/row-counts/row-counts.service';
import { ProjectFactsRepository } from '../../../src/read-models/projects/project-facts.repository';
import { scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { plansOf, rowsRead } from '../../support/checks/statement-plans';

/** Copies a row, with other ids. @returns a statement with the parameters id and number of copies. */
const copies = (table: 'build' | 'tester', changes: string): string => `
  INSERT INTO ${table} SELECT copy.* FROM ${table} AS t, generate_series(1, $2) AS n,
    jsonb_populate_record(NULL::${table}, to_jsonb(t) || jsonb_build_object('n', n, 'id', uuidv7(), ${changes})) AS copy WHERE t.id = $1`;
const COPY_BUILD = copies('build', `'blob_key', gen_random_uuid()`);
const COPY_TESTER = copies('tester', `'email_key', gen_random_uuid(), 'email', gen_random_uuid() || '@example.com'`);

describe('kept numbers of rows', () => {
  let app: TestApp;
  let counts: RowCountsService;
  let tenant: Tenant;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    counts = app.nest.get(RowCountsService);
    tenant = await createTenant(app);
  });
  afterAll(() => app.stop());

  const fold = (): Promise<void> => counts.fold(app.systemContext);
  const check = () => counts.check(app.systemContext);
  /** The numbers that the API shows, and those of the rows. */
  const numbers = async () => {
    const { project, channel, admin } = tenant;
    const query = `organization_id=${project.organizationId}`;
    const { body: summary } = await admin.get(`/projects/${project.id}/summary?${query}`).expect(200);
    const { body: shown } = await admin.get(`/channels/${channel.id}?${scope(project)}`).expect(200);
    const [rows] = await app.sql(
      `SELECT (SELECT count(*)::int FROM build WHERE project_id = $1 AND deleted_at IS NULL) AS builds,
              (SELECT count(*)::int FROM tester WHERE project_id = $1) AS testers,
              (SELECT count(*)::int FROM subscription WHERE channel_id = $2) AS subscribers`,
      [project.id, channel.id],
    );
    const { builds, testers } = (summary as { counts: Record<string, number> }).counts;
    return [{ builds, testers, subscribers: (shown as { subscribers: number }).subscribers }, rows] as const;
  };
  const expectRight = async (): Promise<void> => {
    const [shown, rows] = await numbers();
    expect(shown).toEqual(rows);
  };

  // red when: a trigger is missing, a change is added twice or never, or rows are part of both the number and the changes
  it('equal the rows before and after the job that keeps them, after insertions and deletions', async () => {
    await expectRight();
    await fold();
    await expectRight();
    await app.sql(COPY_BUILD, [tenant.build.id, 7]);
    await app.sql(COPY_TESTER, [tenant.testerId, 5]);
    await app.sql(
      `INSERT INTO subscription (organization_id, project_id, channel_id, tester_id, created_at)
       SELECT organization_id, project_id, $1, id, now() FROM tester WHERE project_id = $2 ON CONFLICT DO NOTHING`,
      [tenant.channel.id, tenant.project.id],
    );
    await expectRight();
    await fold();
    await expectRight();
    expect(await app.sql('SELECT FROM row_count_change')).toEqual([]);
    // Subscriptions are deleted by the foreign key.
    await app.sql(`DELETE FROM tester WHERE project_id = $1 AND id <> $2`, [tenant.project.id, tenant.testerId]);
    await expectRight();
    await fold();
    await expectRight();
    const builds = await app.sql<{ id: string }>(`SELECT id FROM build WHERE project_id = $1 AND id <> $2 LIMIT 3`, [
      tenant.project.id,
      tenant.build.id,
    ]);
    const ids = builds.map(({ id }) => id);
    await tenant.admin.post(`/builds/delete?${scope(tenant.project)}`, { ids }).expect(200);
    await expectRight();
    await fold();
    await tenant.admin.post(`/builds/restore?${scope(tenant.project)}`, { ids: ids.slice(1) }).expect(200);
    await expectRight();
    await tenant.admin.post(`/builds/delete?${scope(tenant.project)}`, { ids, permanently: true }).expect(200);
    await expectRight();
    expect(await check()).toEqual([]);
  });

  // red when: a number begins with another snapshot than that of its changes, or changes are folded that are not committed
  it('are right after transactions that were open while the job ran', async () => {
    await app.sql('DELETE FROM row_count');
    const open = [0, 1].map(() => new Client({ connectionString: app.database.ownerUrl }));
    try {
      for (const session of open) await session.connect().then(() => session.query('BEGIN'));
      await open[0]!.query(COPY_BUILD, [tenant.build.id, 3]);
      await open[1]!.query(COPY_BUILD, [tenant.build.id, 2]);
      await fold();
      await open[0]!.query('COMMIT');
      await Promise.all([fold(), open[1]!.query('ROLLBACK'), app.sql(COPY_BUILD, [tenant.build.id, 4]), fold()]);
      await expectRight();
      const uploads = Array.from({ length: 6 }, () => app.sql(COPY_BUILD, [tenant.build.id, 1]));
      await Promise.all([...uploads, fold()]);
      await expectRight();
      await fold();
      await expectRight();
      expect(await check()).toEqual([]);
    } finally {
      await Promise.all(open.map((session) => session.end()));
    }
  });

  // red when: the check does not count the rows, or leaves a wrong number
  it('that are wrong are reported by the nightly check, and counted again', async () => {
    await check();
    await app.sql('UPDATE row_count SET rows = rows + 40 WHERE parent_id = $1', [tenant.project.id]);
    const wrong = await check();
    expect(wrong.map(({ table, parentId, kept, counted }) => [table, parentId, kept - counted]).sort()).toEqual([
      ['build', tenant.project.id, 40],
      ['tester', tenant.project.id, 40],
    ]);
    expect(app.logLines.filter((line) => line.includes('A kept number of rows was wrong'))).toHaveLength(2);
    await expectRight();
    expect(await check()).toEqual([]);
  });

  // red when: numbers stay when their project or channel is deleted
  it('end with their parent', async () => {
    const other = await createTenant(app);
    await check();
    await app.sql('DELETE FROM project WHERE id = $1', [(await other.admin.createsProject(other.organization)).id]);
    const channel = await other.admin.createsChannel(other.project);
    const subscription = `/testers/${other.testerId}/subscriptions/${channel.id}?${scope(other.project)}`;
    await other.admin.request('put', subscription).expect(200);
    await fold();
    await other.admin.request('delete', `/testers/${other.testerId}?${scope(other.project)}`).expect(204);
    await other.admin.request('delete', `/channels/${channel.id}?${scope(other.project)}`).expect(204);
    await check();
    await fold();
    const parents = `SELECT id FROM project UNION ALL SELECT id FROM channel`;
    for (const table of ['row_count', 'row_count_change'])
      expect(await app.sql(`SELECT FROM ${table} WHERE parent_id NOT IN (${parents})`)).toEqual([]);
  });

  // red when: the summary counts the builds or testers of the project, or reads all of them to find that a platform or a project has none
  it('let a summary of a large project read few rows', async () => {
    await app.sql(COPY_BUILD, [tenant.build.id, 20_000]);
    await app.sql(COPY_TESTER, [tenant.testerId, 20_000]);
    await fold();
    await app.sql('ANALYZE build, tester, release');
    const { id, organizationId } = tenant.project;
    const empty = await tenant.admin.createsProject(tenant.organization);
    const [plan] = await plansOf(app, (tx) =>
      app.nest.get(ProjectFactsRepository).facts(tx, organizationId, [id, empty.id]),
    );
    expect(rowsRead(plan!)).toBeLessThan(200);
    await expectRight();
  });
});
