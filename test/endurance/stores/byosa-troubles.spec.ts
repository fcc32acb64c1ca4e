import { randomBytes, randomUUID } from 'node:crypto';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { S3BlobStore } from '#infra/blob/s3/s3-blob-store';
import { type S3Description } from '#infra/blob/store-description';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { BuildRelocationService } from '#modules/builds';
import { ByosaService } from '#modules/storage';
import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { ON_THIS_MACHINE, putByosa, s3Settings } from '../../support/actors/byosa';
import { TestApp } from '../../support/app/test-app';
import { apk } from '../../support/artifacts/valid-artifacts';
import { type Fault, type SeenRequest } from '../../support/servers/proxies/faulty-proxy';
import { S3Server } from '../../support/servers/stores/s3-server';
import { until } from '../../support/until';

jest.setTimeout(120_000);

const FILE = { bytes: apk(), fileName: 'Own.apk' };
/** Large enough for a multipart upload to the store. */
const LARGE = { bytes: randomBytes(20 * 1024 * 1024), fileName: 'Large.dmg' };
const MAC = { platform: 'macos', version: '1.0' };
const UNAVAILABLE: Fault = { kind: 'error', status: 500, code: 'InternalError' };

/** The failure of a customer's store must not affect other organizations, and must leave nothing behind. */
describe('a customer store', () => {
  let app: TestApp;
  let ann: Developer;
  let store: S3Server;
  let bucket: S3Description;
  let account: string;
  beforeAll(async () => {
    app = await TestApp.start({ environment: ON_THIS_MACHINE });
  });
  beforeEach(async () => {
    store = await S3Server.start();
    bucket = store.bucket();
    ann = await app.developer();
  });
  afterEach(() => store.stop());
  afterAll(() => app.stop());

  const byosa = (): ByosaService => app.nest.get(ByosaService, { strict: false });
  /** A project whose artifacts are stored in the customer's store. */
  const project = async (): Promise<ProjectRef> => {
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    await putByosa(ann, organization, { s3: s3Settings(bucket) }).expect(200);
    account = await byosa().flip(app.systemContext, organization.id, 'byosa');
    return ann.createsProject(organization);
  };
  /** The pending deletions of blobs in the customer's store. */
  const deletions = (): Promise<{ attempts: number }[]> =>
    app.sql(`SELECT attempts FROM graphile_worker.jobs WHERE queue_name = $1`, [account]);
  const keys = async (): Promise<string[]> => {
    const found = [];
    for await (const { key } of new S3BlobStore(bucket, new OutgoingAgents()).list('')) found.push(key);
    return found;
  };
  const reads = ({ method, path }: Pick<SeenRequest, 'method' | 'path'>): boolean =>
    method === 'GET' && path.includes('/builds/');
  const writes = ({ method, path }: Pick<SeenRequest, 'method' | 'path'>): boolean =>
    method === 'PUT' && path.includes('/builds/');

  // red when: the inspections of one account can occupy every slot
  it('that responds byte by byte does not block the uploads of other organizations', async () => {
    const slow = await project();
    const elsewhere = await ann.createsProject(await ann.createsOrganization());
    store.fault = (request) => (reads(request) ? { kind: 'drip' } : undefined);
    const attempts = Promise.all(Array.from({ length: 3 }, () => ann.upload(slow, FILE).expect(503)));
    const seen = (which: typeof reads): number => store.seen.filter(which).length;
    await until(() => seen(writes) === 3 && seen(reads) > 0);
    await ann.uploads(elsewhere, FILE);
    expect(seen(reads)).toBe(1);
    await store.stop();
    for (const { body } of await attempts) expect(body).toMatchObject({ error: 'storage_backend_unavailable' });
  });

  // red when: the blob of a failed upload is deleted, but its multipart upload is not aborted
  it('that becomes unavailable during an upload keeps no part of it when it is available again', async () => {
    const at = await project();
    let unavailable = false;
    store.fault = ({ url }) => {
      unavailable ||= url.searchParams.get('partNumber') === '2';
      return unavailable ? UNAVAILABLE : undefined;
    };
    await ann.upload(at, LARGE, MAC).expect(503);
    expect(store.openUploads(bucket)).toHaveLength(1);
    await until(async () => (await deletions()).some(({ attempts }) => attempts > 0));
    // The sweep runs while the store is still unavailable and the deletion is being retried.
    await app.clock.advance({ minutes: 20 });
    await app.runsJob('builds.sweep-uploads');
    expect(await app.sql('SELECT FROM artifact_upload')).toEqual([]);
    store.fault = () => undefined;
    await until(async () => (await deletions()).length === 0);
    expect(store.openUploads(bucket)).toEqual([]);
  });

  // red when: an account with pending deletions is removed
  it('that is unavailable during its teardown keeps its account until the last artifact is deleted', async () => {
    const at = await project();
    const build = await ann.uploads(at, FILE);
    expect(await keys()).toHaveLength(1);
    const kept = (): Promise<object[]> => app.sql('SELECT FROM storage_account WHERE id = $1', [account]);
    store.fault = () => UNAVAILABLE;
    await ann.delete(`/builds/${build.id}?${scope(at)}&permanently=true`).expect(204);
    await ann.delete(`/organizations/${at.organizationId}/byosa`).expect(204);
    await byosa().flip(app.systemContext, at.organizationId, 'hosted');
    await app.runsJob('storage.remove-drained');
    expect(await kept()).toHaveLength(1);

    store.fault = () => undefined;
    await until(async () => (await deletions()).length === 0);
    await app.runsJob('storage.remove-drained');
    expect(await kept()).toEqual([]);
    expect(await keys()).toEqual([]);
  });

  // red when: the row of a relocation is deleted only when its store responds; or a copy's multipart upload is not aborted
  it('that is unavailable when relocations end blocks none of them, and its deletions are retried', async () => {
    const at = await project();
    const build = await ann.uploads(at, FILE);
    const relocation = app.nest.get(BuildRelocationService, { strict: false });
    await byosa().flip(app.systemContext, at.organizationId, 'hosted');
    const moved = await relocation.moveAll(app.systemContext, at.organizationId, 'hosted', () => undefined);
    expect(moved).toMatchObject({ moved: 1, failed: [] });
    // A copy that was killed, of a build that was deleted since.
    const copy = `builds/${randomUUID()}`;
    await new S3BlobStore(bucket, new OutgoingAgents()).parts.begin(copy);
    await app.sql(
      `INSERT INTO build_move (id, organization_id, build_id, state, from_account, from_key, to_account, to_key)
       VALUES ($1, $2, $1, 'copying', 'hosted', 'builds/gone', $3, $4)`,
      [randomUUID(), at.organizationId, account, copy],
    );
    await app.clock.advance({ hours: 25 });

    store.fault = () => ({ kind: 'silence' });
    await relocation.endMoves(app.systemContext);
    expect(await app.sql('SELECT FROM build_move')).toEqual([]);
    expect(await deletions()).toHaveLength(2);
    store.fault = () => undefined;
    await until(async () => (await deletions()).length === 0);
    expect([await keys(), store.openUploads(bucket)]).toEqual([[], []]);
    expect(await app.sql('SELECT storage_account AS account FROM build WHERE id = $1', [build.id])).toEqual([
      { account: 'hosted' },
    ]);
  });

  // red when: a copy is not compared with the build, or a build refers to an incomplete copy
  it('does not receive missing or damaged artifacts, and their builds keep their account', async () => {
    const at = await project();
    await byosa().flip(app.systemContext, at.organizationId, 'hosted');
    const [missing, damaged, whole] = [
      await ann.uploads(at, FILE),
      await ann.uploads(at, FILE),
      await ann.uploads(at, FILE),
    ];
    const accounts = (): Promise<object[]> =>
      app.sql('SELECT id, storage_account AS account FROM build WHERE project_id = $1 ORDER BY id', [at.id]);
    const fileOf = async ({ id }: { id: string }): Promise<string> => {
      const [row] = await app.sql<{ key: string }>('SELECT blob_key AS key FROM build WHERE id = $1', [id]);
      return join(app.dataDirectory, 'artifacts', `${row!.key}.blob`);
    };
    await rm(await fileOf(missing));
    await appendFile(await fileOf(damaged), 'x');

    const moved = await app.nest
      .get(BuildRelocationService, { strict: false })
      .moveAll(app.systemContext, at.organizationId, account, () => undefined);
    expect(moved).toMatchObject({
      moved: 1,
      failed: [
        { buildId: missing.id, reason: 'missing' },
        { buildId: damaged.id, reason: 'damaged' },
      ],
    });
    expect(await accounts()).toEqual([
      { id: missing.id, account: 'hosted' },
      { id: damaged.id, account: 'hosted' },
      { id: whole.id, account },
    ]);
    await until(async () => (await deletions()).length === 0);
    expect(await keys()).toHaveLength(1);
  });
});
