import { verifiedDeveloper } from '../../support/actors/tenant';
import { pausesStatements } from '../../support/app/paused-statements';
import { TestApp } from '../../support/app/test-app';
import { ServerProcess } from '../../support/processes/server-process';
import { until } from '../../support/until';

/** Twenty statements of the job that deletes them. */
const INTERVALS = 20_000;

jest.setTimeout(120_000);

describe('the deletion of an organization that stored many builds', () => {
  let app: TestApp;
  let worker: ServerProcess | undefined;

  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
  });
  afterAll(async () => {
    await worker?.kill();
    await app.stop();
  });

  // red when: a foreign key deletes the intervals within the request, or a killed worker leaves some of them
  it('ends within the request, and its storage intervals are deleted afterwards, although the worker is killed', async () => {
    const ann = await verifiedDeveloper(app);
    const [organization, other] = [await ann.createsOrganization(), await ann.createsOrganization()];
    await app.sql(
      `INSERT INTO storage_interval (id, organization_id, build_id, size_bytes, started_at, ended_at)
       SELECT gen_random_uuid(), o.id, gen_random_uuid(), 1000, now() - interval '1 year', now() - interval '11 months'
       FROM organization o, generate_series(1, $2::int) WHERE o.id = ANY ($1)`,
      [[organization.id, other.id], INTERVALS],
    );
    const left = async ({ id }: { id: string }): Promise<number> =>
      (
        await app.sql<{ count: number }>('SELECT count(*)::int FROM storage_interval WHERE organization_id = $1', [id])
      )[0]!.count;
    // Slow enough to be killed in the middle.
    const goesOn = await pausesStatements(app, { event: 'AFTER DELETE', table: 'storage_interval', seconds: 1 });

    await ann.delete(`/organizations/${organization.id}`).expect(204);
    await ann.get(`/organizations/${organization.id}`).expect(403);
    expect(await left(organization)).toBe(INTERVALS);

    worker = await ServerProcess.launch(app, { ROLE: 'worker' });
    await until(async () => (await left(organization)) < INTERVALS);
    await worker.kill();
    expect(await left(organization)).toBeGreaterThan(0);
    await goesOn();
    worker = await ServerProcess.launch(app, { ROLE: 'worker' });
    await until(async () => (await left(organization)) === 0);
    expect(await left(other)).toBe(INTERVALS);
    // The money that was paid and charged stays on record.
    const statements = await app.sql('SELECT FROM billing_statement WHERE organization_id = $1', [organization.id]);
    // A second one when a month ended within the test.
    expect(statements.length).toBeGreaterThan(0);
  });
});
