import { DataSource, type MigrationInterface } from 'typeorm';
import { newId } from '#kernel/ids';
import { BillingService } from '#modules/billing';
import { EndMetersOfOwnStorage1763670893000 } from '../../../migrations/1763670893000-end-meters-of-own-storage';
import { AlertAtNinetyPercent1763670893001 } from '../../../migrations/1763670893001-alert-at-ninety-percent';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { operator } from '../../support/checks/billing-consistency';

describe('a migration of billing data', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
  });
  afterAll(() => app.stop());

  const migrate = async (migration: MigrationInterface): Promise<void> => {
    const runner = app.nest.get(DataSource).createQueryRunner();
    try {
      await migration.up(runner);
    } finally {
      await runner.release();
    }
  };

  it('adds the alert at 90 % to accounts with the former default, and changes no others', async () => {
    const accounts = await Promise.all(
      ['{50,80,100}', '{50,100}', '{}', '{50,80,90,100}'].map(async (percents) => {
        const id = newId();
        await app.sql(`INSERT INTO organization (id, name, created_at) VALUES ($1, 'Acme', app_now())`, [id]);
        await app.nest.get(BillingService).openAccount(operator(app), id);
        await app.sql('UPDATE billing_account SET budget_alert_percents = $2 WHERE organization_id = $1', [
          id,
          percents,
        ]);
        return id;
      }),
    );
    await migrate(new AlertAtNinetyPercent1763670893001());
    const rows = await app.sql<{ percents: number[] }>(
      `SELECT budget_alert_percents AS percents FROM billing_account JOIN unnest($1::uuid[]) WITH ORDINALITY AS a (id, n)
       ON a.id = organization_id ORDER BY n`,
      [accounts],
    );
    expect(rows.map(({ percents }) => percents)).toEqual([[50, 80, 90, 100], [50, 100], [], [50, 80, 90, 100]]);
  });

  it('ends the storage meters of artifacts in an own storage account, and no others', async () => {
    const ann = await verifiedDeveloper(app);
    const project = await ann.createsProject(await ann.createsOrganization());
    const file = { bytes: Buffer.from('an installer'), fileName: 'Demo.dmg' };
    const [own, hosted] = [
      await ann.uploads(project, file, { platform: 'macos', version: '1' }),
      await ann.uploads(project, file, { platform: 'macos', version: '2' }),
    ];
    await app.sql('UPDATE build SET storage_account = $2 WHERE id = $1', [own.id, newId()]);
    await migrate(new EndMetersOfOwnStorage1763670893000());
    const open = await app.sql(
      `SELECT build_id AS id FROM storage_interval WHERE organization_id = $1 AND ended_at IS NULL`,
      [project.organizationId],
    );
    expect(open).toEqual([{ id: hosted.id }]);
  });
});
