import { BuildRelocationService } from '#modules/builds';
import { ByosaService, HOSTED } from '#modules/storage';
import { type Developer, type ProjectRef } from '../../support/actors/actors';
import { customerS3, type CustomerStore, ON_THIS_MACHINE, putByosa } from '../../support/actors/byosa';
import { ResumableClient } from '../../support/actors/resumable-client';
import { TestApp } from '../../support/app/test-app';
import { apk } from '../../support/artifacts/valid-artifacts';
import { EndlessResponse, MAX_BUFFERED_BYTES } from '../../support/servers/endless-response';
import { type SeenRequest } from '../../support/servers/proxies/faulty-proxy';
import { type S3Server } from '../../support/servers/stores/s3-server';
import { until } from '../../support/until';

jest.setTimeout(120_000);

const FILE = { bytes: apk(), fileName: 'Own.apk' };

/** A customer's store can be hostile, so the service limits the bytes that it reads from one. */
describe('a customer store', () => {
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

  /** A project whose artifacts are stored in the customer's store. */
  const project = async (): Promise<ProjectRef> => {
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    await putByosa(ann, organization, await store.settings()).expect(200);
    await app.nest.get(ByosaService, { strict: false }).flip(app.systemContext, organization.id, 'byosa');
    return ann.createsProject(organization);
  };
  const reads = ({ method, path }: Pick<SeenRequest, 'method' | 'path'>): boolean =>
    method === 'GET' && path.includes('/builds/');

  describe('that sends endless responses', () => {
    let endless: EndlessResponse;
    beforeEach(() => (endless = new EndlessResponse()));
    const expectAborted = async (): Promise<void> => {
      await until(() => endless.started > 0 && endless.aborted === endless.started);
      expect(endless.sentBytes).toBeLessThan(endless.started * MAX_BUFFERED_BYTES);
    };

    // red when: the checks read a response without `bounded`, so that the read continues after the timeout
    it('fails its checks, and its responses are aborted', async () => {
      const { organizationId } = await project();
      store.proxy.fault = ({ method, path }) =>
        method === 'GET' && path.includes('/checks/') ? endless.fault : undefined;
      const { body } = await ann.post(`/organizations/${organizationId}/byosa/diagnose`).expect(200);
      const { checks } = body as { checks: { name: string; status: string }[] };
      const failed = checks.filter(({ status }) => status === 'failed').map(({ name }) => name);
      expect(failed).toEqual(['read_back', 'range_read', 'signed_url', 'upload_in_parts']);
      await expectAborted();
    });

    // red when: the hash covers the endless response, or a block is read with `buffer`
    it('fails uploads and resumable uploads, and its responses are aborted', async () => {
      const own = await project();
      store.proxy.fault = (request) => (reads(request) ? endless.fault : undefined);
      await ann.upload(own, FILE).expect(503);
      await expectAborted();
      const client = await ResumableClient.start(ann, own, FILE);
      await client.sendAll();
      await client.complete().expect(503);
      await expectAborted();
      store.proxy.fault = () => undefined;
      await client.completes();
    });

    // red when: the copy reads the endless response
    it('keeps artifacts that are to be relocated, and its responses are aborted', async () => {
      const own = await project();
      const build = await ann.uploads(own, FILE);
      store.proxy.fault = (request) => (reads(request) ? endless.fault : undefined);
      const relocation = app.nest.get(BuildRelocationService, { strict: false });
      const { moved, failed } = await relocation.moveAll(
        app.systemContext,
        own.organizationId,
        HOSTED,
        () => undefined,
      );
      expect({ moved, failed }).toEqual({ moved: 0, failed: [{ buildId: build.id, reason: 'damaged' }] });
      await expectAborted();
      store.proxy.fault = () => undefined;
      const again = await relocation.moveAll(app.systemContext, own.organizationId, HOSTED, () => undefined);
      expect(again).toMatchObject({ moved: 1, failed: [] });
    });
  });
});
