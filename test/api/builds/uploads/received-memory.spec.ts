import { createHash, randomBytes } from 'node:crypto';
import { UploadBody } from '#infra/http/upload/upload-body';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { ResumableClient } from '../../../support/actors/resumable-client';
import { verifiedDeveloper } from '../../../support/actors/tenant';
import { TestApp } from '../../../support/app/test-app';

const MIB = 1024 * 1024;
const FIELDS = { platform: 'linux', version: '1' };
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('the memory of what uploads receive', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  const inForm = (bytes: Buffer): Promise<BuildJson> => ann.uploads(project, { bytes, fileName: 'app.bin' }, FIELDS);

  async function inParts(bytes: Buffer): Promise<BuildJson> {
    const client = await ResumableClient.start(ann, project, { bytes, fileName: 'app.bin' }, FIELDS, 'service');
    await client.sendAll();
    return client.completes();
  }

  async function download(build: BuildJson): Promise<Buffer> {
    const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    const response = await fetch(app.url + new URL((body as { url: string }).url).pathname);
    return Buffer.from(await response.arrayBuffer());
  }

  // red when: a route keeps the chunks until the next collection of garbage, or frees chunks of which bytes are still needed
  it.each([
    ['a form', inForm],
    ['parts', inParts],
  ])('is free when %s has arrived, and the stored file is the sent one', async (_name, upload) => {
    // The beginning of a boundary, again and again: the parser splits and copies chunks.
    const bytes = Buffer.concat([randomBytes(6 * MIB), Buffer.alloc(MIB, '\r\n--'), randomBytes(6 * MIB)]);
    const pushed = jest.spyOn(UploadBody.prototype, 'push');
    const build = await upload(bytes);
    const chunks = pushed.mock.calls.flatMap(([chunk]) => (chunk as Buffer | null) ?? []);
    const keptBytes = chunks.reduce((total, { length }) => total + length, 0);
    expect(chunks.length).toBeGreaterThan(100);
    expect(keptBytes).toBeLessThan(bytes.length / 3);
    expect(sha256(await download(build))).toBe(sha256(bytes));
  });
});
