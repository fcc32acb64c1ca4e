import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { parse } from 'csv-parse/sync';
import { type Bearer, type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { ipa } from '../../../support/artifacts/valid-artifacts';
import { eventually, until } from '../../../support/until';

const APPSTORED = 'com.apple.appstored/1.0 iOS/18.0 model/iPad14,3 hwp/t8112 build/22A3354 (6; dt:267) AMS/1';
const BYTES = randomBytes(3_000_000);

interface DownloadJson {
  readonly id: string;
  readonly started_at: string;
  readonly completed_at: string | null;
  readonly served_bytes: number | null;
  readonly device_family: string;
  readonly tester_id: string | null;
  readonly channel_id: string | null;
  readonly minted_by: { kind: string; id: string | null };
}

describe('the download log', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let build: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
  });
  beforeEach(async () => {
    build = await ann.uploads(
      project,
      { bytes: BYTES, fileName: 'Demo.dmg' },
      { platform: 'macos', version: randomUUID() },
    );
  });
  afterAll(() => app.stop());

  const mint = async (by: Bearer = ann): Promise<string> => {
    const { body } = await by.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    return new URL((body as { url: string }).url).pathname;
  };
  const fetched = async (path: string, headers: Record<string, string> = {}): Promise<Buffer> =>
    Buffer.from(await (await fetch(app.url + path, { headers })).arrayBuffer());
  const log = async (query = ''): Promise<DownloadJson[]> =>
    ((await ann.get(`/builds/${build.id}/downloads?${scope(project)}${query}`).expect(200)).body as { items: [] })
      .items;
  const counts = async (): Promise<unknown> =>
    ((await ann.get(`/builds/${build.id}?${scope(project)}`).expect(200)).body as BuildJson)['downloads'];
  /** The log is written after the client has received the bytes. */
  const logged = async (known: (row: DownloadJson) => boolean): Promise<DownloadJson> => {
    const [row] = await eventually(log, ([first]) => first !== undefined && known(first));
    return row!;
  };
  const isComplete = (row: DownloadJson): boolean => row.completed_at !== null;

  // red when: HEAD counts as a download
  it('is empty before the first GET', async () => {
    const path = await mint();
    await app.anonymous.head(path).expect(200);
    expect([await log(), await counts()]).toEqual([[], { total: 0, unique_testers: 0 }]);
  });

  it('records owner, device, bytes and completion of a download', async () => {
    const token = await ann.createsToken(project, 'DOWNLOAD_BUILD');
    const path = await mint(app.ci(token));
    await fetched(path, { 'User-Agent': 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/140.0.0.0 Mobile' });
    const row = await logged(isComplete);
    expect(row).toMatchObject({
      build_id: build.id,
      device_family: 'android',
      served_bytes: BYTES.length,
      tester_id: null,
      channel_id: null,
      minted_by: { kind: 'project_access_token', id: expect.any(String) },
    });
    expect(Date.parse(row.completed_at!)).toBeGreaterThanOrEqual(Date.parse(row.started_at));
    expect(await counts()).toEqual({ total: 1, unique_testers: 0 });
  });

  // red when: spans that could not be written are discarded
  it('is written later when the first write fails', async () => {
    const path = await mint();
    await fetched(path, { Range: 'bytes=0-9' });
    await logged(({ served_bytes }) => served_bytes === 10);
    await app.sql(`CREATE FUNCTION not_now() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;
      CREATE TRIGGER not_now BEFORE UPDATE ON build_download EXECUTE FUNCTION not_now()`);
    await fetched(path, { Range: 'bytes=10-' });
    await until(() =>
      app.logLines.some((line) => line.includes('The download log was not written; it will be retried')),
    );
    await app.sql('DROP FUNCTION not_now CASCADE');
    expect((await logged(isComplete)).served_bytes).toBe(BYTES.length);
  });

  // red when: bytes are only added up, so that one half sent twice counts as complete
  it('marks a download complete when all its ranges together cover the file', async () => {
    const path = await mint();
    const half = BYTES.length / 2;
    await fetched(path, { Range: `bytes=0-${half - 1}` });
    await fetched(path, { Range: `bytes=0-${half - 1}` });
    const twice = await logged((row) => row.served_bytes === BYTES.length);
    expect(twice.completed_at).toBeNull();
    await fetched(path, { Range: `bytes=${half - 5}-` });
    expect((await logged(isComplete)).served_bytes).toBe(BYTES.length + half + 5);
    expect(await counts()).toEqual({ total: 1, unique_testers: 0 });
  });

  // red when: planned bytes count as sent bytes
  it('does not mark a download complete when the client disconnects', async () => {
    const path = await mint();
    const outgoing = get(app.url + path, { agent: false }).on('error', () => undefined);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    incoming.on('error', () => undefined);
    await once(incoming, 'data');
    outgoing.destroy();
    const row = await logged(({ served_bytes }) => served_bytes !== null);
    expect(row.completed_at).toBeNull();
    expect(row.served_bytes).toBeLessThan(BYTES.length);
  });

  // red when: the log's ticket id is not unique, so that concurrent first responses each insert a row
  it('counts a ticket once when many requests use it in parallel', async () => {
    const path = await mint();
    await Promise.all(Array.from({ length: 20 }, () => fetched(path, { Range: 'bytes=0-9' })));
    await logged((row) => row.served_bytes === 200);
    expect([(await log()).length, await counts()]).toEqual([1, { total: 1, unique_testers: 0 }]);
  });

  // Both locks, of the build and of the billing account, make first uses wait for each other. red when: neither does
  it('counts a tester once when several of their tickets are used in parallel', async () => {
    const tester = randomUUID();
    const paths = await Promise.all(Array.from({ length: 10 }, () => mint()));
    await app.sql('UPDATE download_ticket SET tester_id = $1 WHERE build_id = $2', [tester, build.id]);
    await Promise.all(paths.map((path) => fetched(path, { Range: 'bytes=0-9' })));
    expect(await counts()).toEqual({ total: 10, unique_testers: 1 });
    expect(new Set((await log()).map((row) => row.tester_id))).toEqual(new Set([tester]));
  });

  // red when: HEAD settles or counts, or each range counts as a download
  it('counts the requests of an iOS installer as one download, one reservation and one charge', async () => {
    const app2 = await ann.uploads(project, { bytes: ipa(), fileName: 'Demo.ipa' });
    build = app2;
    const ledger = async (): Promise<unknown[]> =>
      app.sql(`SELECT id FROM reservation WHERE organization_id = $1 AND kind = 'download'`, [project.organizationId]);
    const reserved = (await ledger()).length;
    const manifest = await (await fetch(`${app.url}${new URL(app2.install_url).pathname}/manifest.plist`)).text();
    const path = new URL(/<string>(http[^<]*\.ipa)<\/string>/.exec(manifest)![1]!).pathname;
    const headers = { 'User-Agent': APPSTORED };
    const statuses: number[] = [(await fetch(app.url + path, { method: 'HEAD', headers })).status];
    for (const range of [[], ['bytes=0-99'], ['bytes=100-']]) {
      const answer = await fetch(app.url + path, {
        headers: [...Object.entries(headers), ...range.map((bytes): [string, string] => ['Range', bytes])],
      });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 206, 206]);
    expect(await logged(isComplete)).toMatchObject({ device_family: 'ipad', minted_by: { kind: 'invite' } });
    expect(await counts()).toEqual({ total: 1, unique_testers: 0 });
    expect((await ledger()).length).toBe(reserved + 1);
    const settled = await app.sql(
      `SELECT actual_bytes::int AS bytes FROM reservation WHERE kind = 'download' AND state = 'settled'
       ORDER BY id DESC LIMIT 1`,
    );
    expect(settled).toEqual([{ bytes: app2.size_bytes }]);
  });

  describe('with five downloads', () => {
    beforeEach(async () => {
      for (let n = 0; n < 5; n++) await fetched(await mint(), { Range: 'bytes=0-9' });
      await logged((row) => row.served_bytes === 10);
    });

    it('is listed in pages, newest first', async () => {
      const all = await log();
      const first = await ann.get(`/builds/${build.id}/downloads?${scope(project)}&limit=3`).expect(200);
      const { items, next_cursor: cursor } = first.body as { items: DownloadJson[]; next_cursor: string };
      expect(items).toEqual(all.slice(0, 3));
      expect(await log(`&limit=3&cursor=${cursor}`)).toEqual(all.slice(3));
      expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1)));
    });

    it('is exported as CSV', async () => {
      const answer = await ann.get(`/builds/${build.id}/downloads.csv?${scope(project)}`).expect(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename=downloads-${build.id}.csv`,
      });
      const rows = parse<Record<string, string>>(answer.text, { columns: true });
      expect(rows.map(({ id, served_bytes, minted_by_id }) => [id, served_bytes, minted_by_id])).toEqual(
        (await log()).map(({ id }) => [id, '10', ann.id]),
      );
    });
  });

  it.each(['downloads', 'downloads.csv'])('requires MANAGE_TESTERS for %s', async (what) => {
    const uploader = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
    const refused = await uploader.get(`/builds/${build.id}/${what}?${scope(project)}`).expect(403);
    expect(refused.body).toMatchObject({ error: 'insufficient_role', details: { required_role: 'MANAGE_TESTERS' } });
    expect((await uploader.get(`/builds/${build.id}?${scope(project)}`).expect(200)).body).toHaveProperty('downloads');
    const manager = app.ci(await ann.createsToken(project, 'MANAGE_TESTERS'));
    await manager.get(`/builds/${build.id}/${what}?${scope(project)}`).expect(200);
    await manager.get(`/builds/${randomUUID()}/${what}?${scope(project)}`).expect(404);
  });

  it('is deleted with its build', async () => {
    await fetched(await mint(), { Range: 'bytes=0-9' });
    await ann.delete(`/builds/${build.id}?${scope(project)}&permanently=true`).expect(204);
    expect(await app.sql('SELECT FROM build_download WHERE build_id = $1', [build.id])).toEqual([]);
  });
});
