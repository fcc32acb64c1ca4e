import { randomBytes, randomUUID } from 'node:crypto';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { lockWaiters } from '../../../support/app/lock-waiters';
import { TestApp } from '../../../support/app/test-app';
import { until } from '../../../support/until';

const BYTES = randomBytes(100_000);

/** The service keeps what a settled ticket opens. */
describe('a download URL that was used before', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    const file = { bytes: BYTES, fileName: 'Demo.dmg' };
    build = await ann.uploads(project, file, { platform: 'macos', version: '1.0' });
  });

  const range = async (path: string, length = 1, from = 0): Promise<{ status: number; body: Buffer }> => {
    const response = await fetch(app.url + path, { headers: { Range: `bytes=${from}-${from + length - 1}` } });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  };
  /** A ticket that the process has read as settled, which has served two bytes. */
  const usedTicket = async (): Promise<string> => {
    const { body } = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    const path = new URL((body as { url: string }).url).pathname;
    expect([(await range(path)).status, (await range(path)).status]).toEqual([206, 206]);
    return path;
  };
  const servedBytes = async (): Promise<number> => {
    const [row] = await app.sql<{ served: string }>(
      'SELECT served_bytes AS served FROM download_ticket WHERE build_id = $1',
      [build.id],
    );
    return Number(row!.served);
  };
  const statusesWithoutBytes = async (path: string): Promise<number[]> =>
    Promise.all(
      [
        app.anonymous.head(path),
        app.anonymous.get(path).set('If-None-Match', '*'),
        app.anonymous.get(path).set('Range', 'bytes=100000-'),
      ].map(async (request) => (await request.ok(() => true)).status),
    );

  // red when: the ticket is read for each range, or each range is counted by its own statement
  it('costs a range one statement, and parallel ranges fewer statements than ranges', async () => {
    const path = await usedTicket();
    const query = jest.spyOn(Client.prototype, 'query');
    const statements = async (requests: () => Promise<unknown>): Promise<number> => {
      query.mockClear();
      await requests();
      const texts = query.mock.calls.map(([sent]: unknown[]) =>
        typeof sent === 'string' ? sent : (sent as { text: string }).text,
      );
      const own = /^LOCK|pg_locks/;
      return texts.filter((text) => /download_ticket/.test(text) && !/build_download/.test(text) && !own.test(text))
        .length;
    };
    expect(await statements(() => range(path))).toBe(1);
    const parallel = async (): Promise<void> => {
      const client = new Client({ connectionString: app.database.ownerUrl });
      await client.connect();
      try {
        // The first statement waits for this lock, so that the other ranges arrive while it runs.
        await client.query('BEGIN');
        await client.query('LOCK TABLE download_ticket IN EXCLUSIVE MODE');
        const ranges = Array.from({ length: 40 }, () => range(path));
        await until(async () => (await app.sql(`SELECT FROM ${lockWaiters('download_ticket')}`)).length > 0);
        for (let time = 0; time < 5; time += 1) await app.anonymous.get('/api/v1/live').expect(200);
        await client.query('COMMIT');
        expect((await Promise.all(ranges)).every(({ status }) => status === 206)).toBe(true);
      } finally {
        await client.end();
      }
    };
    expect(await statements(parallel)).toBeLessThan(40);
    query.mockRestore();
    expect(await servedBytes()).toBe(43);
  });

  // red when: each response of a batch is admitted because the ticket was valid before all of them
  it('admits parallel ranges until three times the artifact is served, not one more', async () => {
    const path = await usedTicket();
    const half = BYTES.length / 2;
    const sent = await Promise.all(Array.from({ length: 20 }, () => range(path, half)));
    expect(sent.filter(({ status }) => status === 206)).toHaveLength(6);
    expect(sent.filter(({ status }) => status === 404)).toHaveLength(14);
  });

  // red when: the statement that counts does not check the expiry, or a response without bytes relies on the kept ticket
  it('returns 404 to every method when it has expired', async () => {
    // Each is still kept when its first request arrives.
    const [path, withoutBytes] = [await usedTicket(), await usedTicket()];
    expect(await statusesWithoutBytes(withoutBytes)).toEqual([200, 304, 416]);
    await app.sql(`UPDATE download_ticket SET expires_at = created_at WHERE build_id = $1`, [build.id]);
    const response = await fetch(app.url + withoutBytes, { headers: { Range: 'bytes=100000-' } });
    expect([response.status, response.headers.get('content-range')]).toEqual([404, null]);
    expect((await range(path)).status).toBe(404);
    expect(await statusesWithoutBytes(withoutBytes)).toEqual([404, 404, 404]);
    expect(await servedBytes()).toBe(2);
  });

  it('returns 404 as soon as its build is deleted', async () => {
    const path = await usedTicket();
    await ann.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
    expect((await range(path)).status).toBe(404);
  });

  // red when: the statement that counts does not compare the place, or a kept ticket whose artifact has moved is not read again
  it('serves the artifact from its new account after a relocation', async () => {
    const path = await usedTicket();
    const [{ key } = { key: '' }] = await app.sql<{ key: string }>('SELECT blob_key AS key FROM build WHERE id = $1', [
      build.id,
    ]);
    const moved = key.replace(/[^/]+$/, randomUUID());
    const fileOf = (name: string): string => join(app.dataDirectory, 'artifacts', `${name}.blob`);
    await copyFile(fileOf(key), fileOf(moved));
    await writeFile(fileOf(key), randomBytes(BYTES.length));
    await app.sql('UPDATE build SET blob_key = $2 WHERE id = $1', [build.id, moved]);
    for (const from of [5, 10])
      expect(await range(path, 10, from)).toEqual({ status: 206, body: BYTES.subarray(from, from + 10) });
    expect(await servedBytes()).toBe(22);
  });

  // red when: the statement waits for the lock of one ticket while it holds others, or a byte is sent before it is counted
  it('sends no byte while the ticket is locked, and does not delay other tickets', async () => {
    const locked = await usedTicket();
    const lockedBuild = build.id;
    build = await ann.uploads(project, { bytes: BYTES, fileName: 'Other.dmg' }, { platform: 'macos', version: '1.0' });
    const other = await usedTicket();
    const client = new Client({ connectionString: app.database.ownerUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM download_ticket WHERE build_id = $1 FOR UPDATE', [lockedBuild]);
      let answered = false;
      const waiting = range(locked).finally(() => (answered = true));
      for (let time = 0; time < 5; time += 1) expect((await range(other)).status).toBe(206);
      expect(answered).toBe(false);
      await client.query('ROLLBACK');
      expect((await waiting).status).toBe(206);
    } finally {
      await client.end();
    }
  });
});
