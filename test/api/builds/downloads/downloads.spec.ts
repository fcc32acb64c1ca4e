import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bearer, type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { OpenApiConformance } from '../../../support/checks/routes/openapi-conformance';
import { rawRequest } from '../../../support/load/raw-http';

const BYTES = randomBytes(100_000);
const SHA256 = createHash('sha256').update(BYTES).digest('hex');

describe('a download URL', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let ci: Bearer;
  let build: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    ci = app.ci(await ann.createsToken(project, 'DOWNLOAD_BUILD'));
    const file = { bytes: BYTES, fileName: 'Demo "1".dmg' };
    build = await ann.uploads(project, file, { platform: 'macos', version: '1.0' });
  });
  afterAll(() => app.stop());

  const mint = async (): Promise<string> => {
    const { body } = await ci.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    const { url, expires_at: expiresAt } = body as { url: string; expires_at: string };
    expect(Math.round((Date.parse(expiresAt) - app.clock.now().getTime()) / 60_000)).toBe(30);
    return new URL(url).pathname;
  };
  const get = (path: string, headers: Record<string, string> = {}) => app.anonymous.get(path).set(headers).buffer(true);
  const bodyOf = async (path: string, headers: Record<string, string> = {}, status = 206): Promise<Buffer> => {
    const response = await fetch(app.url + path, { headers });
    expect(response.status).toBe(status);
    return Buffer.from(await response.arrayBuffer());
  };
  const lastReservation = async (): Promise<{ state: string; actual_bytes: string | null }> => {
    const rows = await app.sql<{ state: string; actual_bytes: string | null }>(
      `SELECT state, actual_bytes FROM reservation WHERE kind = 'download' ORDER BY id DESC LIMIT 1`,
    );
    return rows[0] as { state: string; actual_bytes: string | null };
  };

  it('leaves the reservation active on HEAD and settles it at the file’s size on the first GET', async () => {
    const path = await mint();
    const head = await app.anonymous.head(path).expect(200);
    expect(head.headers).toMatchObject({
      'content-length': String(BYTES.length),
      'content-type': 'application/x-apple-diskimage',
      'accept-ranges': 'bytes',
      etag: `"${SHA256}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    expect(head.headers['content-disposition']).toMatch(/^attachment; filename="Demo \\"1\\".dmg"/);
    // red when: HEAD runs the GET handler
    expect(await lastReservation()).toEqual({ state: 'active', actual_bytes: null });
    expect((await bodyOf(path, { Range: 'bytes=0-0' })).equals(BYTES.subarray(0, 1))).toBe(true);
    expect(await lastReservation()).toEqual({ state: 'settled', actual_bytes: String(BYTES.length) });
    expect((await bodyOf(path, {}, 200)).equals(BYTES)).toBe(true);
    expect(await lastReservation()).toEqual({ state: 'settled', actual_bytes: String(BYTES.length) });
  });

  // red when: a file that was changed on the disk is sent as a whole response, also after an intact download of it
  it('aborts before the last byte when the file differs from the uploaded bytes', async () => {
    const [{ key } = { key: '' }] = await app.sql<{ key: string }>('SELECT blob_key AS key FROM build WHERE id = $1', [
      build.id,
    ]);
    const file = join(app.dataDirectory, 'artifacts', `${key}.blob`);
    expect((await bodyOf(await mint(), {}, 200)).equals(BYTES)).toBe(true);
    const damaged = Buffer.from(BYTES);
    damaged[BYTES.length - 1]! ^= 1;
    await writeFile(file, damaged);
    const path = await mint();
    // The file is one chunk, so the connection closes before the headers are sent.
    await expect(fetch(app.url + path)).rejects.toThrow('fetch failed');
    await writeFile(file, BYTES);
    expect((await bodyOf(await mint(), {}, 200)).equals(BYTES)).toBe(true);
  });

  // red when: the OpenAPI document names one media type for all artifacts
  it('returns a media type of the OpenAPI document for HEAD, a range and the whole file', async () => {
    const conformance = new OpenApiConformance(app.nest);
    const path = await mint();
    const ask = async (method: string, headers: Record<string, string> = {}): Promise<string[]> => {
      const { status, headers: answered } = await rawRequest(app.url + path, { method, headers });
      return conformance.problemsOf({ method, path, status, contentType: answered['content-type'], text: '' });
    };
    const problems = [await ask('HEAD'), await ask('GET', { Range: 'bytes=0-0' }), await ask('GET')];
    expect(problems).toEqual([[], [], []]);
  });

  it.each([
    ['bytes=0-9', 206, [0, 10]],
    ['bytes=99990-', 206, [99_990, 100_000]],
    ['bytes=-5', 206, [99_995, 100_000]],
    ['bytes=99999-200000', 206, [99_999, 100_000]],
    ['bytes=5-6,0-1', 200, [0, 100_000]],
    ['lines=1-2', 200, [0, 100_000]],
  ])('serves Range: %s', async (Range, status, [from, to]) => {
    const path = await mint();
    expect((await bodyOf(path, { Range }, status)).equals(BYTES.subarray(from, to))).toBe(true);
  });

  it('supports If-Range and If-None-Match and rejects a range beyond the end', async () => {
    const path = await mint();
    const range = { Range: 'bytes=5-9' };
    expect(await bodyOf(path, { ...range, 'If-Range': `"${SHA256}"` })).toHaveLength(5);
    expect(await bodyOf(path, { ...range, 'If-Range': '"other"' }, 200)).toHaveLength(BYTES.length);
    await get(path, { 'If-None-Match': `"${SHA256}"` }).expect(304);
    const beyond = await get(path, { Range: 'bytes=100000-' }).expect(416);
    expect(beyond.headers['content-range']).toBe('bytes */100000');
    expect(JSON.parse(beyond.text)).toMatchObject({ error: 'invalid_input' });
  });

  it('returns 404 after it has served three times the artifact', async () => {
    const path = await mint();
    for (let time = 0; time < 3; time++) await bodyOf(path, {}, 200);
    // red when: served_bytes is not compared
    const { body } = await get(path, { Accept: 'application/json' }).expect(404);
    expect(body).toMatchObject({ error: 'not_found' });
    await app.anonymous.head(path).expect(404);
  });

  it('returns 404 when a character of the ticket is changed', async () => {
    const path = await mint();
    const start = '/download/'.length;
    for (const index of [0, 1, 20, 42]) {
      const at = start + index;
      const changed = path.slice(0, at) + (path[at] === 'A' ? 'B' : 'A') + path.slice(at + 1);
      await get(changed, { Accept: 'application/json' }).expect(404);
    }
    await app.anonymous.post(path).expect(404);
  });

  it('settles once when many requests use it in parallel', async () => {
    const path = await mint();
    const answers = await Promise.all(Array.from({ length: 20 }, () => bodyOf(path, { Range: 'bytes=0-9' })));
    expect(answers.every((bytes) => bytes.equals(BYTES.subarray(0, 10)))).toBe(true);
    const [row] = await app.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM reservation WHERE state = 'settled' AND resolved_at > now() - interval '1 minute'`,
    );
    expect(row?.n).toBeGreaterThan(0);
    expect(await lastReservation()).toEqual({ state: 'settled', actual_bytes: String(BYTES.length) });
  });

  it('requires DOWNLOAD_BUILD and expires after half an hour', async () => {
    const viewer = app.ci(await ann.createsToken(project, 'VIEW_PROJECT'));
    const refused = await viewer.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(403);
    expect(refused.body).toMatchObject({ error: 'insufficient_role', details: { required_role: 'DOWNLOAD_BUILD' } });
    const path = await mint();
    await app.clock.advance({ minutes: 29 });
    await app.anonymous.head(path).expect(200);
    await app.clock.advance({ minutes: 2 });
    await app.anonymous.head(path).expect(404);
  });
});
