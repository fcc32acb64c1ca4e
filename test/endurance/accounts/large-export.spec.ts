import { createTenant, type Tenant } from '../../support/actors/tenant';
import { pausesStatements } from '../../support/app/paused-statements';
import { TestApp } from '../../support/app/test-app';
import { unzipped } from '../../support/checks/zip-reader';
import { ServerProcess } from '../../support/processes/server-process';
import { until } from '../../support/until';

/** More rows than one job reads, in several parts. */
const TESTERS = Number(process.env['EXPORTED_TESTERS'] ?? 110_000);

jest.setTimeout(600_000);

interface PartsOfFile {
  readonly parts: readonly string[];
}
type Files = Readonly<Record<string, PartsOfFile | undefined>>;

describe('the export of a large organization', () => {
  let app: TestApp;
  let tenant: Tenant;
  let worker: ServerProcess | undefined;

  let goesOn: () => Promise<unknown>;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    tenant = await createTenant(app);
    const { organizationId, id: projectId } = tenant.project;
    await app.sql(
      `INSERT INTO tester (id, organization_id, project_id, email, email_key, platforms, created_at)
       SELECT gen_random_uuid(), $1, $2, 't' || n || '@example.com', 't' || n || '@example.com', '{}', now()
       FROM generate_series(1, $3::int) AS n`,
      [organizationId, projectId, TESTERS],
    );
    // The progress after each part.
    await app.sql('CREATE TABLE test_progress (number serial, files jsonb NOT NULL)');
    await app.sql(`CREATE FUNCTION test_note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN INSERT INTO test_progress (files) SELECT NEW.progress->'files' WHERE NEW.progress IS NOT NULL; RETURN NULL; END $$`);
    await app.sql('CREATE TRIGGER test_note AFTER UPDATE ON data_export FOR EACH ROW EXECUTE FUNCTION test_note()');
    // After the first part of the testers, the export is slow enough to be killed in the middle.
    const ofRows = `OLD.progress->'files'->'testers' IS NOT NULL`;
    goesOn = await pausesStatements(app, { event: 'AFTER UPDATE', table: 'data_export', seconds: 10, ofRows });
  });
  afterAll(async () => {
    await worker?.kill();
    await app.stop();
  });

  const progress = async (): Promise<Files[]> =>
    (await app.sql<{ files: Files }>('SELECT files FROM test_progress ORDER BY number')).map(({ files }) => files);
  const partsOf = (files: Files | undefined): readonly string[] => files?.['testers']?.parts ?? [];

  // red when: a killed export begins again, or the part that was being written is lost or repeated
  it('continues after the last part when its worker is killed, and contains each row once', async () => {
    const path = `/organizations/${tenant.organization.id}/export`;
    await tenant.admin.post(path, { password: tenant.admin.password }).expect(202);
    worker = await ServerProcess.launch(app, { ROLE: 'worker' });
    await until(async () => partsOf((await progress()).at(-1)).length > 0, { everyMs: 2 });
    await worker.kill();
    await goesOn();
    const [first] = partsOf((await progress()).at(-1));
    const before = (await progress()).length;
    worker = await ServerProcess.launch(app, { ROLE: 'worker' });

    type Export = { readonly export: { readonly state: string; readonly url: string } };
    const latest = async (): Promise<Export['export']> =>
      ((await tenant.admin.get(path).expect(200)).body as Export).export;
    await until(async () => ['ready', 'failed'].includes((await latest()).state), { seconds: 300 });
    const { state, url } = await latest();
    expect(state).toBe('ready');
    const later = (await progress()).slice(before).map(partsOf);
    expect(later.length).toBeGreaterThan(2);
    expect(new Set(later.map(([part]) => part))).toEqual(new Set([first]));
    const begun = `SELECT FROM audit_event WHERE type = 'organization.export_started' AND organization_id = $1`;
    expect(await app.sql(begun, [tenant.organization.id])).toHaveLength(1);

    const archive = await fetch(app.url + new URL(url).pathname);
    const files = await unzipped(Buffer.from(await archive.arrayBuffer()));
    const testers = JSON.parse(files.get('testers.json')!.toString()) as { id: string }[];
    expect([testers.length, new Set(testers.map(({ id }) => id)).size]).toEqual([TESTERS + 1, TESTERS + 1]);
  });
});
