import { BuildRelocationService } from '#modules/builds';
import { ByosaService, HOSTED } from '#modules/storage';
import { type Developer, type ProjectRef } from '../../support/actors/actors';
import { apk } from '../../support/artifacts/valid-artifacts';
import { customerS3, type CustomerStore, ON_THIS_MACHINE, putByosa } from '../../support/actors/byosa';
import { EndlessResponse, MAX_BUFFERED_BYTES } from '../../support/servers/endless-response';
import { type SeenRequest } from '../../support/servers/faulty-proxy';
import { ResumableClient } from '../../support/actors/resumable-client';
import { type S3Server } from '../../support/servers/s3-server';
import { TestApp } from '../../support/app/test-app';

jest.setTimeout(120_000);

const FILE = { bytes: apk(), fileName: 'Own.apk' };

/** Contract §11: what a customer's store sends is bounded, whatever it sends. */
describe('a store of an organization', () => {
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

  describe('that answers without end', () => {
    let endless: EndlessResponse;
    beforeEach(() => (endless = new EndlessResponse()));
    const isCutOff = async (): Promise<void> => {
      await until(() => endless.started > 0 && endless.aborted === endless.started);
      expect(endless.sentBytes).toBeLessThan(endless.started * MAX_BUFFERED_BYTES);
    };

    // red when: what is read back is read with `buffer` and without a bound: it goes on when nobody waits for it any more
    it('fails its checks, and is cut off', async () => {
      const { organizationId } = await project();
      store.proxy.fault = ({ method, path }) =>
        method === 'GET' && path.includes('/checks/') ? endless.fault : undefined;
      const { body } = await ann.post(`/organizations/${organizationId}/byosa/diagnose`).expect(200);
      const { checks } = body as { checks: { name: string; status: string }[] };
      const failed = checks.filter(({ status }) => status === 'failed').map(({ name }) => name);
      expect(failed).toEqual(['read_back', 'range_read', 'signed_url']);
      await isCutOff();
    });

    // red when: the hash is made of all that comes, or a block read with `buffer`
    it('fails its uploads, whole and in parts, and is cut off', async () => {
      const own = await project();
      store.proxy.fault = (request) => (reads(request) ? endless.fault : undefined);
      await ann.upload(own, FILE).expect(503);
      await isCutOff();
      const client = await ResumableClient.start(ann, own, FILE);
      await client.sendAll();
      await client.complete().expect(503);
      await isCutOff();
      store.proxy.fault = () => undefined;
      await client.completes();
    });

    // red when: the copy takes all that comes
    it('keeps what it holds of artifacts that are to move, and is cut off', async () => {
      const own = await project();
      const build = await ann.uploads(own, FILE);
      store.proxy.fault = (request) => (reads(request) ? endless.fault : undefined);
      const moves = app.nest.get(BuildRelocationService, { strict: false });
      const { moved, failed } = await moves.moveAll(app.systemContext, own.organizationId, HOSTED, () => undefined);
      expect({ moved, failed }).toEqual({ moved: 0, failed: [{ buildId: build.id, reason: 'damaged' }] });
      await isCutOff();
      store.proxy.fault = () => undefined;
      const again = await moves.moveAll(app.systemContext, own.organizationId, HOSTED, () => undefined);
      expect(again).toMatchObject({ moved: 1, failed: [] });
    });
  });
});
