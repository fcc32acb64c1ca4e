import { createHash, randomBytes } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { PartBuffers } from '#infra/blob/streams/write-in-parts';
import { ByosaService } from '#modules/storage';
import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { customerS3, ON_THIS_MACHINE, putByosa } from '../../support/actors/byosa';
import { ResumableClient } from '../../support/actors/resumable-client';
import { TestApp } from '../../support/app/test-app';
import { type CloudPlace, isPart, onAzure, onS3 } from '../../support/servers/stores/cloud-places';
import { until } from '../../support/until';

jest.setTimeout(120_000);

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
const MAC = { platform: 'macos', version: '1.0' };
const FILE = { bytes: randomBytes(2 * PART_BYTES + 4_321), fileName: 'Demo.dmg' };
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const projectOf = async (ann: Developer): Promise<ProjectRef> => ann.createsProject(await ann.createsOrganization());
const statusOf = async (answer: Promise<Response>): Promise<number> => (await answer).status;

/** Sends parts in parallel, with one cut connection before, and completes. */
async function uploadsThroughService(ann: Developer, project: ProjectRef): Promise<void> {
  const client = await ResumableClient.start(ann, project, FILE, MAC, 'service');
  const { body } = await ann.post(client.path('/part-urls'), { part_numbers: [1], through: 'service' }).expect(200);
  const [{ url }] = (body as { urls: [{ url: string }] }).urls;
  expect(url).toMatch(/^\/api\/v1\/builds\/uploads\/parts\/[\w-]+$/);
  await client.cut(ann.url + url, 0.5);
  expect(await client.arrived()).toEqual([]);
  const urls = await client.urls(3, 2, 1);
  expect(await Promise.all([3, 2].map((part, at) => statusOf(client.put(urls[at]!, client.part(part)))))).toEqual([
    204, 204,
  ]);
  expect(await client.arrived()).toEqual([2, 3]);
  expect(await statusOf(client.put(urls[2]!, client.part(1)))).toBe(204);
  expect(await client.completes()).toMatchObject({ sha256: sha256(FILE.bytes), size_bytes: FILE.bytes.length });
}

describe('parts through the service', () => {
  it('make a build with the local store', async () => {
    const app = await TestApp.start();
    const ann = await app.developer();
    await uploadsThroughService(ann, await projectOf(ann));
    await app.stop();
  });

  it.each<[string, () => Promise<CloudPlace>]>([
    ['S3', onS3],
    ['Azure', onAzure],
  ])('make a build with %s', async (_name, start) => {
    const { environment, proxy } = await start();
    const app = await TestApp.start({ environment });
    const ann = await app.developer();
    await uploadsThroughService(ann, await projectOf(ann));
    // A part that was cut off is not sent to the store.
    expect(proxy.seen.filter(isPart)).toHaveLength(3);
    await app.stop();
    await proxy.stop();
  });

  it('make a build with storage of the organization', async () => {
    const store = await customerS3();
    const app = await TestApp.start({ environment: ON_THIS_MACHINE });
    const ann = await app.developer();
    const project = await projectOf(ann);
    const { organizationId } = project;
    await ann.post(`/organizations/${organizationId}/plan`, { plan: 'business' }).expect(200);
    await putByosa(ann, { id: organizationId }, await store.settings()).expect(200);
    await app.nest.get(ByosaService, { strict: false }).flip(app.systemContext, organizationId, 'byosa');
    await uploadsThroughService(ann, project);
    // The checks of the store uploaded parts, too.
    expect(store.proxy.seen.filter((each) => isPart(each) && each.path.includes('/builds/'))).toHaveLength(3);
    await app.stop();
    await store.stop();
  });
});

describe('parts through the service to S3', () => {
  let place: CloudPlace;
  let app: TestApp;
  let ann: Developer;
  let client: ResumableClient;
  beforeAll(async () => {
    place = await onS3();
    app = await TestApp.start({
      environment: {
        ...place.environment,
        UPLOAD_BUFFER_BYTES: String(2 * PART_BYTES),
        RATE_LIMIT_FACTOR: '1',
        MAX_UPLOADS_AT_ONCE: '3',
      },
    });
    ann = await app.developer();
    client = await ResumableClient.start(ann, await projectOf(ann), FILE, MAC, 'service');
  });
  afterEach(() => (place.proxy.fault = () => undefined));
  afterAll(async () => {
    await app.stop();
    await place.proxy.stop();
  });

  /** Sends the first byte of a part and waits. */
  const stalled = async (): Promise<ClientRequest> => {
    const [url] = await client.urls(1);
    const outgoing = request(url!, { method: 'PUT', agent: false, headers: { 'Content-Length': PART_BYTES } });
    outgoing.on('error', () => undefined);
    await new Promise<void>((resolve) => void outgoing.write('.', () => resolve()));
    return outgoing;
  };
  const bytesInUse = (): number => app.nest.get(PartBuffers, { strict: false }).bytesInUse;

  // red when: each part allocates its own memory, or a disconnected client keeps it
  it('hold no more memory than all uploads may, and wait for it', async () => {
    const first = [await stalled(), await stalled()];
    await until(() => bytesInUse() === 2 * PART_BYTES);
    const [url] = await client.urls(2);
    const waiting = client.put(url!, client.part(2));
    expect(bytesInUse()).toBe(2 * PART_BYTES);
    first[0]!.destroy();
    expect((await waiting).status).toBe(204);
    first[1]!.destroy();
    await until(() => bytesInUse() === 0);
    expect(await client.arrived()).toEqual([2]);
  });

  // red when: one organization fills the memory of all
  it('are 429 beyond the limit of an organization, before a byte is stored', async () => {
    const others = [await stalled(), await stalled(), await stalled()];
    const [url] = await client.urls(3);
    const refused = async (): Promise<Response> => client.put(url!, client.part(3));
    let answer = await refused();
    // The third stalled part may not have been admitted yet.
    await until(async () => answer.status === 429 || (answer = await refused()).status === 429);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(await answer.json()).toMatchObject({ error: 'rate_limit_exceeded', details: { retry_after_seconds: 2 } });
    for (const other of others) other.destroy();
    await until(async () => (await refused()).status === 204);
  });

  it('are 503 while the store is unavailable, and the list of uploads has null as their arrived bytes', async () => {
    place.proxy.fault = () => ({ kind: 'error', status: 503, code: 'SlowDown' });
    const [url] = await client.urls(1);
    const answer = await client.put(url!, client.part(1));
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: 'storage_backend_unavailable' }]);
    const [upload] = await app.sql<{ id: string; organization_id: string; project_id: string }>(
      'SELECT id, organization_id, project_id FROM resumable_upload',
    );
    const project = { id: upload!.project_id, organizationId: upload!.organization_id };
    const { body } = await ann.get(`/builds/uploads?${scope(project)}`).expect(200);
    expect(body).toMatchObject({ items: [{ id: client.id, arrived_bytes: null }] });
    expect(bytesInUse()).toBe(0);
  });
});

describe('GET /builds/uploads', () => {
  interface OpenUpload {
    readonly id: string;
    readonly arrived_bytes: number;
    readonly created_by: unknown;
  }
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    project = await projectOf(ann);
  });
  afterAll(() => app.stop());

  const list = async (more = ''): Promise<{ items: OpenUpload[]; next_cursor: string | null }> =>
    (await ann.get(`/builds/uploads?${scope(project)}${more}`).expect(200)).body as never;

  it('lists open uploads of members and tokens, newest first, with the bytes that have arrived', async () => {
    expect(await list()).toEqual({ items: [], next_cursor: null });
    const first = await ResumableClient.start(ann, project, FILE, MAC);
    const ci = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
    const second = await ResumableClient.start(ci, project, { ...FILE, fileName: 'CI.dmg' }, MAC);
    await first.send(1);
    await first.send(3);
    const { items, next_cursor: cursor } = await list();
    expect(cursor).toBeNull();
    expect(items).toEqual([
      expect.objectContaining({
        id: second.id,
        file_name: 'CI.dmg',
        arrived_bytes: 0,
        created_by: expect.objectContaining({
          kind: 'project_access_token',
          label: expect.any(String) as string,
        }) as object,
      }),
      {
        id: first.id,
        file_name: 'Demo.dmg',
        size_bytes: FILE.bytes.length,
        part_size_bytes: PART_BYTES,
        part_count: 3,
        arrived_bytes: PART_BYTES + 4_321,
        created_by: { kind: 'developer', id: ann.id, label: ann.email },
        created_at: expect.any(String) as string,
        expires_at: expect.any(String) as string,
      },
    ]);
    const page = await list('&limit=1');
    expect(page.items.map(({ id }) => id)).toEqual([second.id]);
    const next = await list(`&limit=1&cursor=${page.next_cursor}`);
    expect(next).toMatchObject({ items: [{ id: first.id }], next_cursor: null });
  });

  it('leaves out uploads that are builds, dropped or expired', async () => {
    project = await projectOf(ann);
    const file = { bytes: randomBytes(4_000), fileName: 'Small.dmg' };
    const [done, dropped, open] = [
      await ResumableClient.start(ann, project, file, MAC),
      await ResumableClient.start(ann, project, file, MAC),
      await ResumableClient.start(ann, project, file, MAC),
    ];
    await done.sendAll();
    await done.completes();
    await dropped.drop().expect(204);
    expect((await list()).items.map(({ id }) => id)).toEqual([open.id]);
    await app.sql(`UPDATE artifact_upload SET leased_until = leased_until - interval '25 hours'`);
    expect((await list()).items).toEqual([]);
  });
});
