import { newId } from '#kernel/ids';
import { UploadLifecycleService } from '../../../src/modules/uploads/lifecycle/upload-lifecycle.service';
import { TestApp } from '../../support/app/test-app';

describe('the sweep of uploads', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
  });
  afterAll(() => app.stop());

  const expired = async (minutesAgo: number): Promise<string> => {
    const id = newId();
    await app.sql(
      `INSERT INTO artifact_upload (id, organization_id, project_id, storage_account, blob_key, reservation_id, state,
                                    leased_until, created_at)
       VALUES ($1, $1, $1, 'hosted', $3, $1, 'pending', app_now() - make_interval(mins => $2), app_now())`,
      [id, minutesAgo, `builds/${id}`],
    );
    return id;
  };
  const pending = async (): Promise<string[]> =>
    (await app.sql<{ id: string }>(`SELECT id FROM artifact_upload WHERE state = 'pending'`)).map(({ id }) => id);

  // red when: the sweep ends at the first upload that cannot be cancelled, which then is the first every time
  it('continues after an upload that cannot be cancelled, and reports the error', async () => {
    const broken = await expired(3);
    await expired(2);
    await expired(1);
    await app.sql(
      `ALTER TABLE artifact_upload ADD CONSTRAINT ck_broken CHECK (id <> '${broken}' OR state = 'pending')`,
    );
    const sweep = (): Promise<void> => app.nest.get(UploadLifecycleService).sweep(app.systemContext);
    const error: unknown = await sweep().catch((thrown: unknown) => thrown);
    expect(await pending()).toEqual([broken]);
    expect(error).toMatchObject({ errors: [{ message: broken, cause: { driverError: { constraint: 'ck_broken' } } }] });
    await app.sql('ALTER TABLE artifact_upload DROP CONSTRAINT ck_broken');
    await sweep();
    expect(await pending()).toEqual([]);
  });
});
