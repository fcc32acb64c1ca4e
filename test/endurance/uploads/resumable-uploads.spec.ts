import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageService } from '#modules/storage';
import { describeResumableUploads, type StorePlace } from '../../suites/resumable-uploads.suite';
import {
  type Bearer,
  type BuildJson,
  type Developer,
  type ProjectRef,
  scope,
  type UploadFile,
} from '../../support/actors/actors';
import { ResumableClient } from '../../support/actors/resumable-client';
import { TestApp } from '../../support/app/test-app';
import { bytesOf, hostileArtifacts } from '../../support/artifacts/hostile-artifacts';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';
import { rawRequest } from '../../support/load/raw-http';
import { onAzure, onS3 } from '../../support/servers/stores/cloud-places';

jest.setTimeout(120_000);

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const LARGE = { bytes: randomBytes(2 * PART_BYTES + 12_345), fileName: 'Demo.dmg' };
const SMALL = { bytes: randomBytes(40_000), fileName: 'Small.dmg' };
const MAC = { platform: 'macos', version: '1.0' };

const cloud = async (start: typeof onS3): Promise<StorePlace> => {
  const { environment, proxy } = await start();
  return { environment, stop: () => proxy.stop() };
};

describeResumableUploads('local', () => Promise.resolve({ environment: {}, stop: () => Promise.resolve() }));
describeResumableUploads('S3', () => cloud(onS3));
describeResumableUploads('Azure', () => cloud(onAzure));

/** Behaviour that does not depend on the store, or that only the local store has. */
describe('resumable uploads', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let ci: Bearer;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { MAX_UPLOAD_BYTES: String(64 * MIB) } });
  });
  beforeEach(async () => {
    // A new session, because these tests advance the clock by days.
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    ci = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
  });
  afterAll(() => app.stop());

  const starts = (file: UploadFile = LARGE, fields: Readonly<Record<string, string>> = MAC): Promise<ResumableClient> =>
    ResumableClient.start(ci, project, file, fields);
  const sent = async (
    file: UploadFile = LARGE,
    fields: Readonly<Record<string, string>> = MAC,
  ): Promise<ResumableClient> => {
    const client = await starts(file, fields);
    await client.sendAll();
    return client;
  };
  const initiate = (fields: object) => ci.post(`/builds/uploads?${scope(project)}`, fields);
  const builds = async (): Promise<BuildJson[]> =>
    ((await ci.get(`/builds?${scope(project)}`).expect(200)).body as { items: BuildJson[] }).items;
  const rows = async (from: string): Promise<number> =>
    (await app.sql<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${from}`))[0]!.rows;
  const reservations = (): Promise<Record<string, unknown>[]> =>
    app.sql('SELECT state, size_bytes, actual_bytes FROM reservation WHERE organization_id = $1 ORDER BY created_at', [
      project.organizationId,
    ]);
  const store = () => app.nest.get(StorageService, { strict: false }).storeOf(app.systemContext, 'hosted');
  const keys = async (): Promise<string[]> => {
    const found = [];
    for await (const { key } of (await store()).list('builds/')) found.push(key);
    return found;
  };
  /** Runs the sweep after the time of the second deletion. */
  const sweeps = async (): Promise<void> => {
    await app.clock.advance({ minutes: 46 });
    await app.runsJob('builds.sweep-uploads');
  };
  const isNothingLeft = async (client: ResumableClient): Promise<void> => {
    await sweeps();
    expect(await rows(`artifact_upload WHERE id = '${client.id}'`)).toBe(0);
    expect((await reservations()).filter(({ state }) => state === 'active')).toEqual([]);
    expect(await keys()).not.toContain(`builds/${client.id}`);
    expect(await (await store()).parts.listParts(`builds/${client.id}`, 'local')).toEqual([]);
  };

  it('take omitted fields from the artifact, as POST /builds does', async () => {
    const client = await sent({ bytes: ipa(), fileName: 'Demo.ipa' }, {});
    expect(await client.completes()).toMatchObject({ platform: 'ios', version: '1.2.3', build_number: '42' });
  });

  describe('at the start', () => {
    it('reject a file over the size limit with 413', async () => {
      const { body } = await initiate({ file_name: 'a.ipa', size_bytes: 64 * MIB + 1 }).expect(413);
      expect(body).toMatchObject({ error: 'payload_too_large', details: { max_bytes: 64 * MIB } });
      await initiate({ file_name: 'a.ipa', size_bytes: 64 * MIB }).expect(201);
    });

    it.each([
      ['no size', { file_name: 'a.ipa' }],
      ['an empty file', { file_name: 'a.ipa', size_bytes: 0 }],
      ['half a byte', { file_name: 'a.ipa', size_bytes: 1.5 }],
      ['no name', { size_bytes: 5 }],
      ['an unknown field', { file_name: 'a.ipa', size_bytes: 5, upload_id: randomUUID() }],
      ['a hash that is none', { file_name: 'a.ipa', size_bytes: 5, sha256: 'abc' }],
    ])('reject %s', async (_what, fields) => {
      expect((await initiate(fields).expect(400)).body).toMatchObject({ error: 'validation_error' });
    });

    it.each([
      ['version_required', { platform: 'macos' }],
      ['platform_required', { version: '1' }],
    ])('fail with %s for a file without metadata', async (reason, fields) => {
      const { body } = await initiate({ file_name: 'a.dmg', size_bytes: 5, ...fields }).expect(400);
      expect(body).toMatchObject({ error: 'invalid_input', details: { reason } });
    });

    it('reserve once for two requests with one Idempotency-Key', async () => {
      const key = { 'Idempotency-Key': randomUUID() };
      const body = { file_name: 'a.ipa', size_bytes: 5_000 };
      const [first, again] = [await initiate(body).set(key).expect(201), await initiate(body).set(key).expect(201)];
      expect(again.body).toEqual(first.body);
      expect(await reservations()).toEqual([{ state: 'active', size_bytes: '5000', actual_bytes: null }]);
    });

    // red when: the count is not serialized by the advisory lock
    it('keep to the quota of open uploads of a project when many start concurrently', async () => {
      const beside = await TestApp.start({ beside: app, environment: { QUOTA_OPEN_UPLOADS_PER_PROJECT: '3' } });
      const other = beside.ci(ci.token);
      const body = { file_name: 'a.ipa', size_bytes: 5 };
      const answers = await Promise.all(Array.from({ length: 12 }, () => other.post('/builds/uploads', body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(9).fill(400)]);
      const refused = answers.find(({ status }) => status === 400)!;
      expect(refused.body).toMatchObject({ error: 'quota_exceeded', details: { quota: 'open_uploads', limit: 3 } });
      expect(await reservations()).toHaveLength(3);
      await beside.stop();
    });
  });

  describe('while parts are sent', () => {
    it('reject a part that is too long or too short', async () => {
      const client = await starts();
      for (const length of [0, 12_344, 12_346]) {
        expect((await client.send(3, randomBytes(length))).status).toBe(400);
        expect(await client.arrived()).toEqual([]);
      }
      const [url] = await client.urls(3);
      for (const [length, status] of [
        [12_344, 400],
        [12_346, 413],
      ] as const) {
        const answer = await rawRequest(url!, {
          method: 'PUT',
          headers: { 'Transfer-Encoding': 'chunked' },
          body: randomBytes(length),
        });
        expect(answer.status).toBe(status);
      }
      expect(await client.arrived()).toEqual([]);
    });

    it('reject a part that is sent as a form or JSON, naming Content-Type', async () => {
      const client = await starts({ bytes: Buffer.from('a=1'), fileName: 'a.dmg' });
      const [url] = await client.urls(1);
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const answer = await client.put(url!, client.part(1), form);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ details: { fields: [{ field: 'Content-Type' }] } });
    });

    it('reject a part number that the file does not have', async () => {
      const client = await starts();
      for (const numbers of [[4], [0], [1, 1], [], ['1'], Array.from({ length: 101 }, (_, n) => n + 1)]) {
        const { body } = await ci.post(client.path('/part-urls'), { part_numbers: numbers }).expect(400);
        expect(body).toMatchObject({ error: 'validation_error' });
      }
    });

    // red when: the token is not sealed, or base64 is compared loosely
    it('return 404 for a part URL with a changed character, and after half an hour', async () => {
      const client = await starts(SMALL);
      const [url] = await client.urls(1);
      const at = url!.lastIndexOf('/') + 1;
      const ticket = url!.slice(at);
      for (let position = 0; position < ticket.length; position += 1) {
        const other = ticket[position] === 'A' ? 'B' : 'A';
        const changed = ticket.slice(0, position) + other + ticket.slice(position + 1);
        const { status } = await rawRequest(url!.slice(0, at) + changed, {
          method: 'PUT',
          headers: { 'Content-Length': '0' },
        });
        expect([position, status]).toEqual([position, 404]);
      }
      await app.clock.advance({ minutes: 31 });
      expect((await client.put(url!, SMALL.bytes)).status).toBe(404);
      expect(await client.arrived()).toEqual([]);
    });

    it('write no token of a part URL to the log', async () => {
      const client = await sent(SMALL);
      const [url] = await client.urls(1);
      const ticket = url!.slice(url!.lastIndexOf('/') + 1);
      expect(app.logLines.some((line) => line.includes('/parts/[token] 204'))).toBe(true);
      expect(app.logLines.join('')).not.toContain(ticket.slice(0, 40));
    });
  });

  describe('at the completion', () => {
    it('replay the response to the same Idempotency-Key', async () => {
      const client = await sent(SMALL);
      const key = { 'Idempotency-Key': randomUUID() };
      const first = await client.complete(key).expect(201);
      const again = await client.complete(key).expect(201);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(again.body).toEqual(first.body);
    });

    it('reject a draft that the artifact contradicts and leave nothing behind', async () => {
      const client = await sent({ bytes: apk(), fileName: 'Demo.apk' }, { platform: 'ios' });
      expect((await client.complete().expect(400)).body).toMatchObject({ details: { reason: 'platform_mismatch' } });
      await isNothingLeft(client);
    });

    // red when: the assembled artifact is not inspected
    it('reject hostile artifacts of each reason, as POST /builds does, and leave nothing behind', async () => {
      const before = await keys();
      const bad: string[] = [];
      const one = new Map(hostileArtifacts().map((artifact) => [artifact.reason, artifact]));
      for (const artifact of one.values()) {
        const bytes = Buffer.from(bytesOf(artifact));
        if (bytes.length === 0) continue;
        const client = await sent({ bytes, fileName: artifact.fileName }, MAC);
        const { status, body } = await client.complete();
        const { reason } = (body as { details: { reason?: string } }).details;
        if (status !== 400 || reason !== artifact.reason)
          bad.push(`${artifact.name}: ${status} ${JSON.stringify(body)}`);
      }
      expect(bad).toEqual([]);
      expect(one.size).toBeGreaterThan(5);
      await sweeps();
      expect(await keys()).toEqual(before);
    }, 300_000);
  });

  it('promote to the named channel if the caller may promote', async () => {
    const { organizationId } = project;
    await ann.post(`/organizations/${organizationId}/plan`, { plan: 'business' }).expect(200);
    const channel = await ann.post(`/channels?${scope(project)}`, { name: 'Beta' }).expect(201);
    const fields = { channel_id: (channel.body as { id: string }).id };
    const file = { bytes: ipa(), fileName: 'Demo.ipa' };
    const announced = { file_name: file.fileName, size_bytes: file.bytes.length, ...fields };
    expect((await initiate(announced).expect(403)).body).toMatchObject({ error: 'insufficient_role' });
    const client = await ResumableClient.start(ann, project, file, fields);
    await client.sendAll();
    const build = await client.completes();
    expect(build['release_id']).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
    expect(await client.completes()).toEqual(build);
  });

  // red when: an unavailable store counts as one without parts, or ends the upload
  it('return 503 while the store is unavailable and continue afterwards', async () => {
    const client = await starts();
    await client.send(1);
    const [second] = await client.urls(2);
    const artifacts = join(app.dataDirectory, 'artifacts');
    await rename(artifacts, `${artifacts}.away`);
    await writeFile(artifacts, 'not a folder');
    const away = { error: 'storage_backend_unavailable' };
    for (const answer of [await ci.get(client.path()), await client.complete()]) {
      expect([answer.status, answer.body]).toMatchObject([503, away]);
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    const refused = await client.put(second!, client.part(2));
    expect([refused.status, await refused.json()]).toMatchObject([503, away]);
    const other = await starts();
    await ci.post(other.path('/part-urls'), { part_numbers: [1] }).expect(503);
    await ci.get('/builds').expect(200);

    await rm(artifacts);
    await rename(`${artifacts}.away`, artifacts);
    expect(await client.arrived()).toEqual([1]);
    for (const number of [2, 3]) await client.send(number);
    expect(await client.completes()).toMatchObject({ sha256: sha256(LARGE.bytes) });
    await other.send(1);
  });

  describe('after a while', () => {
    it('expire after a week although they are used every day', async () => {
      const client = await starts(SMALL);
      for (let day = 0; day < 7; day++) {
        await client.urls(1);
        await app.clock.advance({ hours: 23 });
      }
      await client.urls(1);
      await app.clock.advance({ hours: 8 });
      await ci.get(client.path()).expect(404);
    });

    it('are deleted a day after completion, and the build stays', async () => {
      const client = await sent(SMALL);
      await client.completes();
      await app.runsJob('builds.prune-resumable-uploads');
      await ci.get(client.path()).expect(200);
      await app.clock.advance({ hours: 25 });
      await app.runsJob('builds.prune-resumable-uploads');
      await ci.get(client.path()).expect(404);
      expect(await builds()).toHaveLength(1);
    });
  });
});
