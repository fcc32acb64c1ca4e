import { randomBytes } from 'node:crypto';
import { ByosaService } from '#modules/storage';
import { type S3Description } from '#platform/blob/store-description';
import { type Developer, type ProjectRef } from '../support/actors';
import { apk } from '../support/artifacts/valid-artifacts';
import { ON_THIS_MACHINE, putByosa, s3Settings } from '../support/byosa';
import { type Fault, type SeenRequest } from '../support/faulty-proxy';
import { S3Server } from '../support/s3-server';
import { TestApp } from '../support/test-app';

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
    ann = await app.developer();
  });
  beforeEach(async () => {
    store = await S3Server.start();
    bucket = store.bucket();
  });
  afterEach(() => store.stop());
  afterAll(() => app.stop());

  /** A project whose artifacts go to the customer's store. */
  const project = async (): Promise<ProjectRef> => {
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    await putByosa(ann, organization, { s3: s3Settings(bucket) }).expect(200);
    account = await app.nest.get(ByosaService, { strict: false }).flip(app.systemContext, organization.id, 'byosa');
    return ann.createsProject(organization);
  };
  /** What waits to be deleted in the customer's store. */
  const deletions = (): Promise<{ attempts: number }[]> =>
    app.sql(`SELECT attempts FROM graphile_worker.jobs WHERE queue_name = $1`, [account]);
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
});
