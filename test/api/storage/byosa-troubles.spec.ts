import { randomBytes, randomUUID } from 'node:crypto';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BuildRelocationService } from '#modules/builds';
import { ByosaService } from '#modules/storage';
import { S3BlobStore } from '#infra/blob/s3/s3-blob-store';
import { type S3Description } from '#infra/blob/store-description';
import { OutgoingAgents } from '#infra/network/outgoing-agents';
import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { apk } from '../../support/artifacts/valid-artifacts';
import { ON_THIS_MACHINE, putByosa, s3Settings } from '../../support/actors/byosa';
import { type Fault, type SeenRequest } from '../../support/servers/faulty-proxy';
import { S3Server } from '../../support/servers/s3-server';
import { TestApp } from '../../support/app/test-app';

jest.setTimeout(120_000);

const FILE = { bytes: apk(), fileName: 'Own.apk' };
/** It goes to the store in parts. */
const LARGE = { bytes: randomBytes(20 * 1024 * 1024), fileName: 'Large.dmg' };
const MAC = { platform: 'macos', version: '1.0' };
const AWAY: Fault = { kind: 'error', status: 500, code: 'InternalError' };

/** Contract §11: a customer's store may be in any trouble; it is the customer's, and nobody else's. */
describe('the trouble of a store of an organization', () => {
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
  /** A project whose artifacts go to the customer's store. */
  const project = async (): Promise<ProjectRef> => {
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    await putByosa(ann, organization, { s3: s3Settings(bucket) }).expect(200);
    account = await byosa().flip(app.systemContext, organization.id, 'byosa');
    return ann.createsProject(organization);
  };
  /** What waits to be deleted in the customer's store. */
  const deletions = (): Promise<{ attempts: number }[]> =>
    app.sql(`SELECT attempts FROM graphile_worker.jobs WHERE queue_name = $1`, [account]);
  const keys = async (): Promise<string[]> => {
    const found = [];
    for await (const { key } of new S3BlobStore(bucket, new OutgoingAgents()).list('')) found.push(key);
    return found;
  };
  const until = async (what: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const reads = ({ method, path }: Pick<SeenRequest, 'method' | 'path'>): boolean =>
    method === 'GET' && path.includes('/builds/');
  const writes = ({ method, path }: Pick<SeenRequest, 'method' | 'path'>): boolean =>
    method === 'PUT' && path.includes('/builds/');

  // Reliability M6. red when: the inspections of one account may take every slot
  it('that answers byte by byte, keeps nobody else from uploading', async () => {
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

  // Reliability G4. red when: what an upload leaves is deleted, and what it has begun is not aborted
  it('that is away from the middle of an upload on, leaves no part once it is back', async () => {
    const at = await project();
    let away = false;
    store.fault = ({ url }) => {
      away ||= url.searchParams.get('partNumber') === '2';
      return away ? AWAY : undefined;
    };
    await ann.upload(at, LARGE, MAC).expect(503);
    expect(store.openUploads(bucket)).toHaveLength(1);
    await until(async () => (await deletions()).some(({ attempts }) => attempts > 0));
    // The sweeper comes by while it is still away, and finds the deletion under way.
    await app.clock.advance({ minutes: 20 });
    await app.runsJob('builds.sweep-uploads');
    expect(await app.sql('SELECT FROM artifact_upload')).toEqual([]);
    store.fault = () => undefined;
    await until(async () => (await deletions()).length === 0);
    expect(store.openUploads(bucket)).toEqual([]);
  });

  // Decision 17. red when: an account is forgotten though deletions in it wait
  it('that is away when its account is given up, has it known until the last artifact is deleted', async () => {
    const at = await project();
    const build = await ann.uploads(at, FILE);
    expect(await keys()).toHaveLength(1);
    const kept = (): Promise<object[]> => app.sql('SELECT FROM storage_account WHERE id = $1', [account]);
    store.fault = () => AWAY;
    await ann.delete(`/builds/${build.id}?${scope(at)}`).expect(204);
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

  // Decision 17. red when: a move is forgotten only where its store answers; or a copy's parts are not aborted
  it('that is away when moves from and to it end, keeps no move and nobody waiting, and loses no deletion', async () => {
    const at = await project();
    const build = await ann.uploads(at, FILE);
    const moves = app.nest.get(BuildRelocationService, { strict: false });
    await byosa().flip(app.systemContext, at.organizationId, 'hosted');
    const moved = await moves.moveAll(app.systemContext, at.organizationId, 'hosted', () => undefined);
    expect(moved).toMatchObject({ moved: 1, failed: [] });
    // A copy that was killed half-way, of a build that is gone since.
    const copy = `builds/${randomUUID()}`;
    await new S3BlobStore(bucket, new OutgoingAgents()).parts.begin(copy);
    await app.sql(
      `INSERT INTO build_move (id, organization_id, build_id, state, from_account, from_key, to_account, to_key)
       VALUES ($1, $2, $1, 'copying', 'hosted', 'builds/gone', $3, $4)`,
      [randomUUID(), at.organizationId, account, copy],
    );
    await app.clock.advance({ hours: 25 });

    store.fault = () => ({ kind: 'silence' });
    await moves.endMoves(app.systemContext);
    expect(await app.sql('SELECT FROM build_move')).toEqual([]);
    expect(await deletions()).toHaveLength(2);
    store.fault = () => undefined;
    await until(async () => (await deletions()).length === 0);
    expect([await keys(), store.openUploads(bucket)]).toEqual([[], []]);
    expect(await app.sql('SELECT storage_account AS account FROM build WHERE id = $1', [build.id])).toEqual([
      { account: 'hosted' },
    ]);
  });

  // red when: what is copied is not compared, or a build is told of a copy that is not whole
  it('is spared artifacts that are missing or damaged: their builds stay where they were', async () => {
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
