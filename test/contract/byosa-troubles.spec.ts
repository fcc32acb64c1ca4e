import { ByosaService } from '#modules/storage';
import { type Developer, type ProjectRef } from '../support/actors';
import { apk } from '../support/artifacts/valid-artifacts';
import { customerS3, type CustomerStore, ON_THIS_MACHINE, putByosa } from '../support/byosa';
import { type SeenRequest } from '../support/faulty-proxy';
import { type S3Server } from '../support/s3-server';
import { TestApp } from '../support/test-app';

jest.setTimeout(120_000);

const FILE = { bytes: apk(), fileName: 'Own.apk' };

/** Contract §11: a customer's store may be in any trouble; it is the customer's, and nobody else's. */
describe('the trouble of a store of an organization', () => {
  let app: TestApp;
  let ann: Developer;
  let store: CustomerStore & { readonly proxy: S3Server };
  beforeAll(async () => {
    app = await TestApp.start({ environment: ON_THIS_MACHINE });
    ann = await app.developer();
  });
  beforeEach(async () => {
    store = await customerS3();
  });
  afterEach(() => store.stop());
  afterAll(() => app.stop());

  /** A project whose artifacts go to the customer's store. */
  const project = async (): Promise<ProjectRef> => {
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    await putByosa(ann, organization, await store.settings()).expect(200);
    await app.nest.get(ByosaService, { strict: false }).flip(app.systemContext, organization.id, 'byosa');
    return ann.createsProject(organization);
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
    store.proxy.fault = (request) => (reads(request) ? { kind: 'drip' } : undefined);
    const attempts = Promise.all(Array.from({ length: 3 }, () => ann.upload(slow, FILE).expect(503)));
    const seen = (which: typeof reads): number => store.proxy.seen.filter(which).length;
    await until(() => seen(writes) === 3 && seen(reads) > 0);
    await ann.uploads(elsewhere, FILE);
    expect(seen(reads)).toBe(1);
    await store.proxy.stop();
    for (const { body } of await attempts) expect(body).toMatchObject({ error: 'storage_backend_unavailable' });
  });
});
