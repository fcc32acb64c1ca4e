import { randomUUID } from 'node:crypto';
import { AppError } from '#kernel/errors/app-error';
import { TrashRepository } from '../../../../src/modules/builds/catalogue/deletion/trash.repository';
import { type ProjectRef, scope } from '../../../support/actors/actors';
import { createTenant, type Tenant } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';

jest.setTimeout(120_000);

const BUILDS = 450;
const MAX_BATCH = 200;

describe('a large trash', () => {
  let app: TestApp;
  let tenant: Tenant;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
  });
  beforeEach(async () => {
    project = await tenant.admin.createsProject(tenant.organization, randomUUID());
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  /** Copies a build. */
  const fills = (deletedAt: string | null): Promise<unknown> =>
    app.sql(
      `INSERT INTO build SELECT (jsonb_populate_record(NULL::build, to_jsonb(b) || $2::jsonb || jsonb_build_object('id', copy.id, 'blob_key', copy.id))).*
       FROM build b, (SELECT uuidv7() AS id FROM generate_series(1, ${BUILDS})) AS copy WHERE b.id = $1`,
      [tenant.build.id, JSON.stringify({ project_id: project.id, deleted_at: deletedAt })],
    );
  const left = async (): Promise<number> =>
    (await app.sql('SELECT FROM build WHERE project_id = $1', [project.id])).length;
  const deletesProject = () => tenant.admin.delete(`/projects/${project.id}?organization_id=${tenant.organization.id}`);
  /** Needs the billing account of the organization. */
  const downloads = () => tenant.admin.post(`/builds/${tenant.build.id}/download-url?${scope(tenant.project)}`, {});

  /** Calls `before` before each batch, with the number of earlier ones. @returns the sizes of the batches of each transaction. */
  function watches(before: (batches: number) => Promise<void>): () => readonly (readonly number[])[] {
    const sizes = new Map<unknown, number[]>();
    let batches = 0;
    const trash = app.nest.get(TrashRepository, { strict: false });
    const original = trash.delete.bind(trash);
    jest.spyOn(trash, 'delete').mockImplementation(async (tx, at, ids) => {
      sizes.set(tx.transaction, [...(sizes.get(tx.transaction) ?? []), ids.length]);
      batches += 1;
      await before(batches - 1);
      return original(tx, at, ids);
    });
    return () => [...sizes.values()];
  }

  // red when: one transaction deletes several batches: it holds the billing account, for which the download waits
  it('is emptied with its project in batches, between which the organization goes on', async () => {
    await fills(app.clock.now().toISOString());
    const sizes = watches(async () => void (await downloads().timeout(20_000).expect(200)));
    await deletesProject().expect(204);
    expect(await left()).toBe(0);
    expect(
      sizes()
        .flat()
        .reduce((sum, size) => sum + size, 0),
    ).toBe(BUILDS);
    expect(sizes().filter((batches) => batches.length > 1 || batches[0]! > MAX_BATCH)).toEqual([]);
  });

  // red when: the batches before an interruption are rolled back with it
  it('is emptied by the repetition of a request that was interrupted, with the same key', async () => {
    await fills(app.clock.now().toISOString());
    watches((batches) =>
      batches === 2
        ? Promise.reject(new AppError('storage_backend_unavailable', { cause: 'test' }))
        : Promise.resolve(),
    );
    const key = randomUUID();
    await deletesProject().set('Idempotency-Key', key).expect(503);
    const afterFirst = await left();
    expect([afterFirst > 0, afterFirst < BUILDS]).toEqual([true, true]);
    await deletesProject().set('Idempotency-Key', key).expect(204);
    expect(await left()).toBe(0);
    await deletesProject().set('Idempotency-Key', key).expect(204).expect('Idempotency-Replayed', 'true');
  });

  // red when: the sweep deletes several batches in one transaction
  it('is swept in batches, between which the organization goes on', async () => {
    await fills(new Date(app.clock.now().getTime() - 8 * 86_400_000).toISOString());
    const sizes = watches(async () => void (await downloads().timeout(20_000).expect(200)));
    await app.runsJob('builds.empty-trash');
    expect(await left()).toBe(0);
    expect(sizes().filter((batches) => batches.length > 1 || batches[0]! > MAX_BATCH)).toEqual([]);
  });

  // red when: a permanent deletion by filter is one transaction of 500 builds, or reads the remaining ones while it holds the account
  it('is not needed: builds are deleted permanently in batches', async () => {
    await fills(null);
    const filter = { platform: tenant.build.platform };
    const { body } = await tenant.admin.post(`/builds/delete/preview?${scope(project)}`, { filter }).expect(200);
    const { builds, ...preview } = body as { fingerprint: string; builds: number };
    let { fingerprint } = preview;
    expect(builds).toBe(BUILDS);
    const sizes = watches(async () => void (await downloads().timeout(20_000).expect(200)));
    const answers: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      const answer = await tenant.admin
        .post(`/builds/delete?${scope(project)}`, { filter, fingerprint, permanently: true })
        .expect(200);
      const { deleted, remaining, ...next } = answer.body as {
        deleted: number;
        remaining: number;
        fingerprint: string;
      };
      answers.push([deleted, remaining]);
      fingerprint = next.fingerprint;
    }
    expect(answers).toEqual([
      [200, 250],
      [200, 50],
      [50, 0],
    ]);
    expect(sizes()).toEqual([[200], [200], [50]]);
    await deletesProject().expect(204);
  });
});
