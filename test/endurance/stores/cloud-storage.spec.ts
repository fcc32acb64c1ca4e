import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { type ServerResponse } from 'node:http';
import { Metrics } from '#infra/metrics/metrics';
import { StorageService } from '#modules/storage';
import { DownloadProgressRecorder } from '../../../src/modules/builds/downloads/log/download-progress-recorder';
import { type Bearer, type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { ResumableClient } from '../../support/actors/resumable-client';
import { TestApp } from '../../support/app/test-app';
import { type Fault, type StoreResponse } from '../../support/servers/proxies/faulty-proxy';
import { type CloudPlace, onAzure, onS3 } from '../../support/servers/stores/cloud-places';
import { until } from '../../support/until';

jest.setTimeout(120_000);

const MIB = 1024 * 1024;
const MAC = { platform: 'macos', version: '1.0' };
const BYTES = randomBytes(18 * MIB + 77);
const FILE = { bytes: BYTES, fileName: 'Dëmo "1".dmg' };
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What the redirect of a client that resumes counts as. */
const resumption = (sizeBytes: number): number => Math.ceil(sizeBytes / 50);

const CUT_DOWNLOADS = 100;
/** The bytes of a response until its end or its failure. */
const receivedBytes = async ({ body }: Response): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body!) chunks.push(chunk as Uint8Array);
  } catch {
    // The bytes received so far count.
  }
  return Buffer.concat(chunks);
};

describe.each([
  ['s3', onS3],
  ['azure', onAzure],
])('the hosted store on %s', (_name, start) => {
  let place: CloudPlace;
  let app: TestApp;
  let streaming: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let ci: Bearer;
  beforeAll(async () => {
    place = await start();
    app = await TestApp.start({ environment: place.environment });
    const stream = { ...place.environment, DOWNLOAD_DELIVERY: 'stream' };
    streaming = await TestApp.start({ beside: app, environment: stream, worker: false });
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    ci = app.ci(await ann.createsToken(project, 'MANAGE_PROJECT'));
  });
  afterEach(() => (place.proxy.fault = () => undefined));
  afterAll(async () => {
    await streaming.stop();
    await app.stop();
    await place.proxy.stop();
  });

  const mint = async (build: BuildJson): Promise<string> => {
    const { body } = await ci.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    return new URL((body as { url: string }).url).pathname;
  };
  const get = (path: string, headers: Record<string, string> = {}, from = app): Promise<Response> =>
    fetch(from.url + path, { headers, redirect: 'manual' });
  const bodyOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
  const keys = async (): Promise<string[]> => {
    const found = [];
    const store = await app.nest.get(StorageService, { strict: false }).storeOf(app.systemContext, 'hosted');
    // The marker of the installation can be written at any time.
    for await (const { key } of store.list('')) if (!key.startsWith('installations/')) found.push(key);
    return found;
  };
  const served = async (): Promise<number> => {
    const [row] = await app.sql<{ n: string }>(
      'SELECT served_bytes AS n FROM download_ticket ORDER BY id DESC LIMIT 1',
    );
    return Number(row?.n);
  };

  it('serves downloads by redirect, with file name and media type, and counts each redirect from the start as the whole artifact', async () => {
    const build = await ci.uploads(project, FILE, MAC);
    expect(build).toMatchObject({ size_bytes: BYTES.length, sha256: sha256(BYTES) });
    const path = await mint(build);
    const head = await fetch(app.url + path, { method: 'HEAD', redirect: 'manual' });
    // red when: HEAD is redirected
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(BYTES.length)]);
    expect(await served()).toBe(0);

    const redirect = await get(path);
    expect(redirect.status).toBe(302);
    expect(redirect.headers.get('cache-control')).toBe('private, no-store');
    const address = redirect.headers.get('location') ?? '';
    expect(address.startsWith(place.proxy.url)).toBe(true);
    const whole = await fetch(address);
    expect(sha256(await bodyOf(whole))).toBe(sha256(BYTES));
    expect(whole.headers.get('content-type')).toBe('application/x-apple-diskimage');
    expect(whole.headers.get('content-disposition')).toBe(head.headers.get('content-disposition'));
    expect(await served()).toBe(BYTES.length);

    const range = { Range: 'bytes=5-104' };
    const part = await fetch(app.url + path, { headers: range });
    expect([part.status, (await bodyOf(part)).equals(BYTES.subarray(5, 105))]).toEqual([206, true]);
    expect(await served()).toBe(BYTES.length + resumption(BYTES.length));
    expect((await get(path, { 'If-None-Match': `"${sha256(BYTES)}"` })).status).toBe(304);
    const resumed = await get(path, { ...range, 'If-Range': `"${sha256(BYTES)}"` });
    expect([resumed.status, (await bodyOf(resumed)).equals(BYTES.subarray(5, 105))]).toEqual([206, true]);
    expect((await get(path, { Range: `bytes=${BYTES.length}-` })).status).toBe(416);
  });

  // red when: a redirect for a range of one byte, which opens the whole artifact, counts as one byte
  it('redirects at most three times for one ticket, for all ranges together', async () => {
    const path = await mint(await ci.uploads(project, { bytes: BYTES.subarray(0, 1000), fileName: 'Range.dmg' }, MAC));
    const statuses = [];
    for (let n = 0; n < 12; n++) statuses.push((await get(path, { Range: 'bytes=0-0' })).status);
    expect(statuses).toEqual([302, 302, 302, ...Array<number>(9).fill(404)]);
  });

  // red when: deliveries by redirect, of which nothing is known, lock out an office behind one address
  it('streams the third ticket of an install link’s client, so that its deliveries are known', async () => {
    const build = await ci.uploads(project, { bytes: BYTES.subarray(0, 1000), fileName: 'Office.dmg' }, MAC);
    const link = new URL(build.install_url).pathname;
    const downloads = async (): Promise<number> => {
      const { status, headers } = await get(`${link}/package.dmg`);
      if (status !== 302) return status;
      const response = await get(new URL(headers.get('location')!).pathname);
      await response.arrayBuffer();
      return response.status;
    };
    const statuses = [];
    for (let n = 0; n < 12; n++) {
      statuses.push(await downloads());
      if (n % 3 === 2) await app.nest.get(DownloadProgressRecorder, { strict: false }).beforeApplicationShutdown();
    }
    expect(statuses).toEqual([...Array<number>(6).fill(302), ...Array<number>(6).fill(200)]);
  });

  // red when: the redirect of a client that resumes counts as the whole artifact, so that the third resumption is 404
  it('redirects a phone that resumes over a bad line as often as it must, charges it once, and counts fresh starts as the whole', async () => {
    const bytes = randomBytes(120_000);
    const path = await mint(await ci.uploads(project, { bytes, fileName: 'Bad line.dmg' }, MAC));
    const charges = (): Promise<object[]> => app.sql(`SELECT id FROM ledger_entry WHERE kind = 'usage_download'`);
    const before = await charges();
    place.proxy.fault = ({ method }) => (method === 'HEAD' ? undefined : { kind: 'cut', afterBytes: 10_000 });
    let got = Buffer.alloc(0);
    let etag = '';
    const statuses = [];
    while (got.length < bytes.length && statuses.length < 20) {
      const headers: Record<string, string> =
        got.length === 0 ? {} : { Range: `bytes=${got.length}-`, 'If-Range': etag };
      const redirect = await get(path, headers);
      statuses.push(redirect.status);
      if (redirect.status !== 302) break;
      const response = await fetch(redirect.headers.get('location') ?? '', { headers });
      etag = response.headers.get('etag') ?? '';
      got = Buffer.concat([got, await receivedBytes(response)]);
    }
    expect(statuses).toEqual(Array<number>(12).fill(302));
    expect(sha256(got)).toBe(sha256(bytes));
    expect((await charges()).length).toBe(before.length + 1);
    expect(await served()).toBe(bytes.length + 11 * resumption(bytes.length));
    const fresh = [];
    for (let n = 0; n < 3; n++) fresh.push((await get(path)).status);
    expect(fresh).toEqual([302, 302, 404]);
    expect((await get(path, { Range: 'bytes=5-' })).status).toBe(404);
    expect((await charges()).length).toBe(before.length + 1);
  });

  // red when: a redirect counts as the requested range
  it('lets clients resume an interrupted download to the same bytes, and charges it once', async () => {
    const bytes = randomBytes(300_000);
    const build = await ci.uploads(project, { bytes, fileName: 'Cut.dmg' }, MAC);
    const charges = (): Promise<{ n: number }[]> =>
      app.sql(`SELECT count(*)::int AS n FROM ledger_entry WHERE kind = 'usage_download'`);
    for (let round = 0; round < CUT_DOWNLOADS; round++) {
      const [charged] = await charges();
      const path = await mint(build);
      const cuts = [randomInt(bytes.length), randomInt(bytes.length)];
      let got = Buffer.alloc(0);
      let counted = 0;
      for (let attempt = 0; got.length < bytes.length; attempt++) {
        const afterBytes = cuts[attempt];
        place.proxy.fault = ({ method }) =>
          method === 'HEAD' || afterBytes === undefined ? undefined : { kind: 'cut', afterBytes };
        counted += got.length === 0 ? bytes.length : resumption(bytes.length);
        const response = await fetch(
          app.url + path,
          attempt === 0 ? {} : { headers: { Range: `bytes=${got.length}-` } },
        );
        expect([round, cuts, response.status]).toEqual([round, cuts, attempt === 0 ? 200 : 206]);
        got = Buffer.concat([got, await receivedBytes(response)]);
      }
      expect([round, cuts, sha256(got)]).toEqual([round, cuts, sha256(bytes)]);
      expect(await charges()).toEqual([{ n: charged!.n + 1 }]);
      expect(await served()).toBe(counted);
      const [reservation] = await app.sql(
        `SELECT state, actual_bytes FROM reservation WHERE kind = 'download' ORDER BY id DESC LIMIT 1`,
      );
      expect(reservation).toEqual({ state: 'settled', actual_bytes: String(bytes.length) });
    }
  });

  it('is streamed through the service with DOWNLOAD_DELIVERY=stream', async () => {
    const build = await ci.uploads(project, FILE, MAC);
    const response = await get(await mint(build), {}, streaming);
    expect(response.status).toBe(200);
    expect(sha256(await bodyOf(response))).toBe(sha256(BYTES));
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
  });

  // red when: the bytes are passed on without a check
  it('breaks a streamed download off before its last byte when it sends other bytes than were uploaded', async () => {
    const build = await ci.uploads(project, FILE, MAC);
    const path = await mint(build);
    const flipped = (response: ServerResponse, { status, headers, body }: StoreResponse): void => {
      const damaged = Buffer.from(body);
      damaged[damaged.length >> 1]! ^= 1;
      response.writeHead(status, { ...headers, 'content-length': damaged.length }).end(damaged);
    };
    place.proxy.fault = ({ method }) => (method === 'GET' ? { kind: 'hostile', serve: flipped } : undefined);
    const response = await get(path, {}, streaming);
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(BYTES.length)]);
    expect((await receivedBytes(response)).length).toBeLessThan(BYTES.length);
    const logged = streaming.logLines.filter((line) => line.includes('blobs check --verify'));
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0]!)).toMatchObject({ level: 'error', account: 'hosted' });
    const metrics = await streaming.nest.get(Metrics, { strict: false }).scrape();
    expect(metrics).toContain('agate_damaged_downloads_total{owner="hosted"} 1');

    place.proxy.fault = () => undefined;
    expect(sha256(await bodyOf(await get(path, {}, streaming)))).toBe(sha256(BYTES));
  });

  // red when: a ticket is used before the store responds
  it.each(['stream', 'redirect'])(
    'causes no charge and no ticket use while it is unavailable (%s)',
    async (delivery) => {
      const from = delivery === 'stream' ? streaming : app;
      const build = await ci.uploads(project, { bytes: BYTES.subarray(0, 1000), fileName: 'Unavailable.dmg' }, MAC);
      const path = await mint(build);
      const charges = (): Promise<object[]> => app.sql(`SELECT id FROM ledger_entry WHERE kind = 'usage_download'`);
      const before = await charges();
      place.proxy.fault = () => ({ kind: 'error', status: 503, code: 'ServerBusy' });
      for (let attempt = 0; attempt < 4; attempt++) {
        const response = await get(path, {}, from);
        expect([response.status, response.headers.get('retry-after')]).toEqual([
          503,
          expect.stringMatching(/^[1-9]\d*$/),
        ]);
      }
      expect([await served(), await charges()]).toEqual([0, before]);
      expect(await app.sql('SELECT FROM build_download WHERE build_id = $1', [build.id])).toEqual([]);

      place.proxy.fault = () => undefined;
      const response = await fetch(from.url + path);
      expect([response.status, (await bodyOf(response)).length]).toEqual([200, 1000]);
      expect([await served(), (await charges()).length]).toEqual([1000, before.length + 1]);
    },
  );

  // red when: a redirect is charged although the store lacks the artifact, as after a change of STORAGE_PROVIDER
  it.each(['stream', 'redirect'])('causes 503 and no charge when it lacks the artifact (%s)', async (delivery) => {
    const from = delivery === 'stream' ? streaming : app;
    const build = await ci.uploads(project, { bytes: BYTES.subarray(0, 1000), fileName: 'Lost.dmg' }, MAC);
    const path = await mint(build);
    const [row] = await app.sql<{ key: string }>('SELECT blob_key AS key FROM build WHERE id = $1', [build.id]);
    const store = await app.nest.get(StorageService, { strict: false }).storeOf(app.systemContext, 'hosted');
    await store.delete(row!.key);
    const response = await get(path, {}, from);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
    expect(await response.json()).toMatchObject({ error: 'storage_backend_unavailable' });
    expect(await served()).toBe(0);
    expect((await fetch(app.url + path, { method: 'HEAD' })).status).toBe(200);
  });

  it('receives the parts of a resumable upload directly', async () => {
    const client = await ResumableClient.start(ci, project, FILE, { ...MAC, sha256: sha256(BYTES) });
    const [url] = await client.urls(1);
    // red when: parts are sent to this service
    expect(url?.startsWith(place.proxy.url)).toBe(true);
    await client.sendAll();
    const build = await client.completes();
    expect(build).toMatchObject({ size_bytes: BYTES.length, sha256: sha256(BYTES) });
    // A part URL that is still valid after the upload changes nothing.
    await client.put(url ?? '', randomBytes(BYTES.length % MIB));
    expect(sha256(await bodyOf(await fetch(app.url + (await mint(build)))))).toBe(sha256(BYTES));
  });

  it('causes 503 while it is unavailable, keeps nothing of the upload, and a retry with the same idempotency key succeeds', async () => {
    const before = { keys: await keys(), rows: await app.sql('SELECT id FROM build ORDER BY id') };
    const key = { 'Idempotency-Key': randomUUID() };
    const file = { bytes: BYTES.subarray(0, 9 * MIB), fileName: 'Down.dmg' };
    const upload = () => ci.upload(project, file, { ...MAC, version: '9.9' }).set(key);
    place.proxy.fault = () => ({ kind: 'error', status: 503, code: 'ServerBusy' });
    const rejected = await upload().expect(503);
    expect(rejected.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(rejected.body).toMatchObject({ error: 'storage_backend_unavailable' });
    expect(JSON.stringify(rejected.body)).not.toContain('ServerBusy');
    // Other requests continue. Readiness reports the failure.
    await ci.get(`/builds?${scope(project)}`).expect(200);
    const ready = await app.anonymous.get('/api/v1/ready').expect(503);
    expect((ready.body as { checks: object[] }).checks).toContainEqual({ name: 'storage', status: 'failed' });

    place.proxy.fault = () => undefined;
    expect(await keys()).toEqual(before.keys);
    expect(await app.sql('SELECT id FROM build ORDER BY id')).toEqual(before.rows);
    const held = await app.sql(`SELECT FROM reservation WHERE state = 'active' AND kind = 'upload'`);
    expect(held).toEqual([]);
    await upload().expect(201);
    await until(async () => (await app.anonymous.get('/api/v1/ready')).status === 200);
  });

  // red when: a failed write keeps its idempotency lease, its row, its reservation or its parts; or responds 500
  it.each<[string, Fault]>([
    ['responds 500', { kind: 'error', status: 500, code: 'InternalError' }],
    ['is full', { kind: 'error', status: 507, code: 'NoSpace' }],
    ['resets every connection', { kind: 'reset' }],
    ['stores the bytes and loses the response', { kind: 'lost' }],
  ])('causes 503 when it %s during an upload, and a retry with the same idempotency key succeeds', async (_, fault) => {
    const before = { keys: await keys(), builds: await app.sql('SELECT id FROM build ORDER BY id') };
    const key = { 'Idempotency-Key': randomUUID() };
    const upload = () => ci.upload(project, FILE, { ...MAC, version: '9.8' }).set(key);
    let writes = 0;
    place.proxy.fault = ({ method }) => (method === 'PUT' && ++writes > 1 ? fault : undefined);
    const rejected = await upload().expect(503);
    expect(rejected.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(rejected.body).toMatchObject({ error: 'storage_backend_unavailable' });
    expect(writes).toBeGreaterThan(1);

    place.proxy.fault = () => undefined;
    expect(await app.sql('SELECT id FROM build ORDER BY id')).toEqual(before.builds);
    expect(await app.sql(`SELECT FROM reservation WHERE state = 'active' AND kind = 'upload'`)).toEqual([]);
    // A job deletes the bytes that the store kept. The test's timeout bounds the wait.
    await until(async () => (await keys()).length <= before.keys.length);
    expect(await keys()).toEqual(before.keys);
    expect(place.unfinished()).toEqual([]);
    expect((await upload().expect(201)).body).toMatchObject({ sha256: sha256(BYTES) });
  });

  it('loses the artifact of a deleted build', async () => {
    const before = await keys();
    const build = await ci.uploads(project, { bytes: BYTES.subarray(0, 1000), fileName: 'Gone.dmg' }, MAC);
    expect((await keys()).length).toBe(before.length + 1);
    await ci.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
    await app.runsJob('storage.sweep-temporary');
    expect(await keys()).toEqual(before);
  });
});
