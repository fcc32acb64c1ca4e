import { randomBytes } from 'node:crypto';
import { BlockPool } from '#infra/blob/streams/block-pool';
import { PartBuffers } from '#infra/blob/streams/write-in-parts';
import { type Developer, type ProjectRef } from '../../../support/actors/actors';
import { SlowUpload } from '../../../support/actors/slow-upload';
import { TestApp } from '../../../support/app/test-app';
import { type CloudPlace, onS3 } from '../../../support/servers/stores/cloud-places';
import { until } from '../../../support/until';

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
/** Few enough to fit into the buffers of a connection that the service does not read. */
const FILE = randomBytes(400_000);

const statusOf = async (upload: SlowUpload): Promise<number | undefined> => (await upload.finish())?.status;

describe('uploads that stall', () => {
  let place: CloudPlace;
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let token: string;
  beforeAll(async () => {
    place = await onS3();
    app = await TestApp.start({ environment: { ...place.environment, UPLOAD_BUFFER_BYTES: String(2 * PART_BYTES) } });
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    token = await ann.createsToken(project, 'MANAGE_PROJECT');
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await app.stop();
    await place.proxy.stop();
  });

  // red when: each upload allocates its own buffers
  it('hold at most the memory limit of all uploads together, and continue when memory is free', async () => {
    const buffers = app.nest.get(PartBuffers, { strict: false });
    const allocated = jest.spyOn(Buffer, 'allocUnsafeSlow');
    const waiting = jest.spyOn(BlockPool.prototype, 'request');
    const uploads = Array.from({ length: 8 }, () => new SlowUpload(app, token, project, FILE));
    for (const upload of uploads) void upload.sendUpTo(0.5);
    await until(() => waiting.mock.calls.length === 6);
    expect(buffers.bytesInUse).toBe(2 * PART_BYTES);
    expect(allocated.mock.calls.filter(([bytes]) => bytes === PART_BYTES)).toHaveLength(2);

    expect(await Promise.all(uploads.map(statusOf))).toEqual(uploads.map(() => 201));
    expect(buffers.bytesInUse).toBe(0);
    expect(allocated.mock.calls.filter(([bytes]) => bytes === PART_BYTES)).toHaveLength(2);
  });

  it('free their memory when their clients disconnect', async () => {
    const buffers = app.nest.get(PartBuffers, { strict: false });
    const waiting = jest.spyOn(BlockPool.prototype, 'request');
    const uploads = Array.from({ length: 4 }, () => new SlowUpload(app, token, project, FILE));
    for (const upload of uploads) void upload.sendUpTo(0.5);
    await until(() => waiting.mock.calls.length === 2);
    for (const upload of uploads) upload.abort();
    await until(async () => (await app.sql('SELECT FROM artifact_upload')).length === 0);
    expect(buffers.bytesInUse).toBe(0);
  });
});

describe('concurrent uploads', () => {
  let app: TestApp;
  let ann: Developer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { RATE_LIMIT_FACTOR: '1', MAX_UPLOADS_AT_ONCE: '2' } });
    ann = await app.developer();
  });
  afterAll(() => app.stop());

  const running = async (count: number): Promise<void> =>
    until(async () => (await app.sql('SELECT FROM artifact_upload')).length === count);

  // red when: only requests per minute are limited
  it('are limited per organization, across its tokens, and end with 429 beyond the limit', async () => {
    const project = await ann.createsProject(await ann.createsOrganization());
    const tokens = [await ann.createsToken(project, 'UPLOAD_BUILD'), await ann.createsToken(project, 'UPLOAD_BUILD')];
    const uploads = tokens.map((token) => new SlowUpload(app, token, project, FILE));
    await running(2);
    const rejected = await new SlowUpload(app, tokens[0]!, project, FILE).answer;
    expect(rejected).toMatchObject({ status: 429, headers: { 'retry-after': '10' } });
    expect(JSON.parse(rejected!.text)).toMatchObject({
      error: 'rate_limit_exceeded',
      details: { retry_after_seconds: 10 },
    });
    // Another organization is not affected.
    const other = await ann.createsProject(await ann.createsOrganization());
    const elsewhere = new SlowUpload(app, await ann.createsToken(other, 'UPLOAD_BUILD'), other, FILE);
    expect(await statusOf(elsewhere)).toBe(201);

    expect(await Promise.all(uploads.map(statusOf))).toEqual([201, 201]);
    expect(await statusOf(new SlowUpload(app, tokens[0]!, project, FILE))).toBe(201);
  });

  // red when: a developer multiplies the limit by their organizations
  it('are limited per developer, across their organizations', async () => {
    const [first, second, third] = [
      await ann.createsProject(await ann.createsOrganization()),
      await ann.createsProject(await ann.createsOrganization()),
      await ann.createsProject(await ann.createsOrganization()),
    ];
    const uploads = [first, second].map((project) => new SlowUpload(app, ann.token, project, FILE));
    await running(2);
    expect((await new SlowUpload(app, ann.token, third, FILE).answer)?.status).toBe(429);
    for (const upload of uploads) upload.abort();
    await running(0);
    expect(await statusOf(new SlowUpload(app, ann.token, third, FILE))).toBe(201);
  });

  // red when: concurrent uploads are counted before the others are inserted
  it('never exceed the limit when many start in parallel', async () => {
    const project = await ann.createsProject(await ann.createsOrganization());
    const token = await ann.createsToken(project, 'UPLOAD_BUILD');
    const uploads = Array.from({ length: 8 }, () => new SlowUpload(app, token, project, FILE));
    const rejected = new Set<SlowUpload>();
    for (const upload of uploads) void upload.answer.then((answer) => answer?.status === 429 && rejected.add(upload));
    await until(() => rejected.size === 6);
    expect(await app.sql('SELECT FROM artifact_upload')).toHaveLength(2);
    const admitted = uploads.filter((upload) => !rejected.has(upload));
    expect(await Promise.all(admitted.map(statusOf))).toEqual([201, 201]);
  });
});
