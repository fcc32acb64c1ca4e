import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { OrphanReport, type OrphanReportOptions, type Orphans } from '#modules/builds';
import { ByosaService } from '#modules/storage';
import { type Developer, type ProjectRef } from '../../support/actors/actors';
import { customerS3, type CustomerStore, ON_THIS_MACHINE, putByosa } from '../../support/actors/byosa';
import { ResumableClient } from '../../support/actors/resumable-client';
import { TestApp } from '../../support/app/test-app';

const MAC = { platform: 'macos', version: '1' };

describe('OrphanReport', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
  });
  afterAll(() => app.stop());

  const report = (options: OrphanReportOptions = { delete: false }): Promise<Orphans> => {
    const ctx: RequestContext = { requestId: 'report', sourceIp: null, identity: ANONYMOUS, clock: app.clock };
    return app.nest.get(OrphanReport, { strict: false }).run(ctx, 'hosted', options);
  };
  const pathOf = (key: string): string => join(app.dataDirectory, 'artifacts', `${key}.blob`);
  const plant = async (key: string, ageHours: number): Promise<string> => {
    await mkdir(dirname(pathOf(key)), { recursive: true });
    await writeFile(pathOf(key), 'planted');
    const at = new Date(Date.now() - ageHours * 3_600_000);
    await utimes(pathOf(key), at, at);
    return key;
  };
  const files = async (): Promise<string[]> => (await readdir(join(app.dataDirectory, 'artifacts/builds'))).sort();

  // red when: the age is ignored, pending uploads count as unknown, or blobs are deleted without `delete`
  it('reports old unknown blobs and builds without a blob, and deletes blobs on request only', async () => {
    const kept = await ann.uploads(project, { bytes: Buffer.from('kept'), fileName: 'a.dmg' }, MAC);
    const lost = await ann.uploads(project, { bytes: Buffer.from('lost'), fileName: 'b.dmg' }, MAC);
    const onItsWay = await ResumableClient.start(ann, project, { bytes: Buffer.from('way'), fileName: 'c.dmg' }, MAC);
    const [{ key: lostKey } = { key: '' }] = await app.sql<{ key: string }>(
      'SELECT blob_key AS key FROM build WHERE id = $1',
      [lost.id],
    );
    await rm(pathOf(lostKey));
    await plant(`builds/${onItsWay.id}`, 48);
    const old = await plant(`builds/${newId()}`, 25);
    await plant(`builds/${newId()}`, 23);
    await plant(`other/${newId()}`, 48);

    const before = await files();
    const found = await report();
    expect(found.blobs).toMatchObject([{ key: old, sizeBytes: 7 }]);
    expect(found.blobs).toHaveLength(1);
    expect(found.builds).toEqual([{ key: lostKey, buildId: lost.id }]);
    expect(found.listed).toBe(before.length);
    await app.runsJob('builds.sweep-uploads');
    expect(await files()).toEqual(before);

    expect((await report({ delete: true })).blobs).toHaveLength(1);
    await app.runsJob('builds.sweep-uploads');
    expect(await files()).toEqual(before.filter((name) => `builds/${name}` !== `${old}.blob`));
    expect((await report()).blobs).toEqual([]);
    expect(kept.size_bytes).toBe(4);
  });

  // red when: only sizes and names are compared
  it('reports builds whose artifact has other bytes, when it verifies them', async () => {
    const bytes = Buffer.from('the bytes of the upload');
    const build = await ann.uploads(project, { bytes, fileName: 'd.dmg' }, MAC);
    await ann.uploads(project, { bytes: Buffer.from('intact'), fileName: 'e.dmg' }, MAC);
    const [{ key } = { key: '' }] = await app.sql<{ key: string }>('SELECT blob_key AS key FROM build WHERE id = $1', [
      build.id,
    ]);
    for (const damaged of ['The bytes of the upload', 'the bytes', 'the bytes of the upload and more']) {
      await writeFile(pathOf(key), damaged);
      expect((await report()).damaged).toEqual([]);
      expect((await report({ delete: false, verify: true })).damaged).toEqual([{ key, buildId: build.id }]);
    }
    await writeFile(pathOf(key), bytes);
    expect((await report({ delete: false, verify: true })).damaged).toEqual([]);
  });

  it('reads all rows of a large account', async () => {
    await app.sql(
      `INSERT INTO artifact_upload SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'hosted',
         'builds/many-' || n, gen_random_uuid(), 'pending', now() + interval '1 day', now() FROM generate_series(1, 12000) n`,
    );
    const last = await plant('builds/many-9999', 48);
    expect((await report()).blobs).not.toContainEqual(expect.objectContaining({ key: last }));
    await app.sql(`DELETE FROM artifact_upload WHERE blob_key = $1`, [last]);
    expect((await report()).blobs).toMatchObject([{ key: last }]);
  });
});

/** Two organizations of one company may use one bucket. */
describe('OrphanReport of a bucket that two accounts share', () => {
  let app: TestApp;
  let store: CustomerStore;
  let ann: Developer;
  beforeAll(async () => {
    [app, store] = await Promise.all([TestApp.start({ environment: ON_THIS_MACHINE }), customerS3()]);
    ann = await app.developer();
  });
  afterAll(async () => {
    await app.stop();
    await store.stop();
  });

  interface Tenant {
    readonly account: string;
    readonly buildId: string;
    readonly key: string;
  }

  const tenantAt = async (settings: object): Promise<Tenant> => {
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    await putByosa(ann, organization, settings).expect(200);
    await app.nest.get(ByosaService, { strict: false }).flip(app.systemContext, organization.id, 'byosa');
    const project = await ann.createsProject(organization);
    const { id } = await ann.uploads(project, { bytes: Buffer.from(organization.id), fileName: 'a.dmg' }, MAC);
    const [row] = await app.sql<{ account: string; key: string }>(
      'SELECT storage_account AS account, blob_key AS key FROM build WHERE id = $1',
      [id],
    );
    return { ...row!, buildId: id };
  };
  const report = (account: string, options = { delete: false }): Promise<Orphans> =>
    app.nest.get(OrphanReport, { strict: false }).run(app.systemContext, account, options);

  // red when: a key counts as known only in the examined account
  it('does not report artifacts of the other account', async () => {
    const settings = await store.settings();
    const [one, other] = [await tenantAt(settings), await tenantAt(settings)];
    expect(one.account).not.toBe(other.account);
    await app.clock.advance({ hours: 30 });

    for (const { account } of [one, other]) {
      const { blobs, builds, listed } = await report(account, { delete: true });
      expect({ blobs, builds, listed }).toEqual({ blobs: [], builds: [], listed: 2 });
    }
    await app.runsJob('builds.sweep-uploads');
    expect((await report(one.account)).listed).toBe(2);

    // Rows of uploads and relocations count too; a blob without any row is reported.
    await app.sql('DELETE FROM build WHERE id = $1', [other.buildId]);
    const rows = {
      artifact_upload: `INSERT INTO artifact_upload VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'hosted', $1,
        gen_random_uuid(), 'pending', now() + interval '1 day', now())`,
      build_move: `INSERT INTO build_move (id, organization_id, build_id, state, from_account, from_key, to_account, to_key)
        VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'copying', 'hosted', $1, 'elsewhere', 'builds/x')`,
    };
    for (const [table, insert] of Object.entries(rows)) {
      await app.sql(insert, [other.key]);
      expect([table, (await report(one.account)).blobs]).toEqual([table, []]);
      await app.sql(`DELETE FROM ${table}`);
    }
    expect((await report(one.account)).blobs).toMatchObject([{ key: other.key }]);
  });
});
