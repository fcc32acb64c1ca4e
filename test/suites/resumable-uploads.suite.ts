import { createHash, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { StorageService } from '#modules/storage';
import {
  type Bearer,
  type BuildJson,
  type Developer,
  type ProjectRef,
  scope,
  type UploadFile,
} from '../support/actors/actors';
import { ResumableClient } from '../support/actors/resumable-client';
import { TestApp } from '../support/app/test-app';
import { until } from '../support/until';

const MIB = 1024 * 1024;
const PART_BYTES = 8 * MIB;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const LARGE = { bytes: randomBytes(2 * PART_BYTES + 12_345), fileName: 'Demo.dmg' };
const SMALL = { bytes: randomBytes(40_000), fileName: 'Small.dmg' };
const MAC = { platform: 'macos', version: '1.0' };

/** The environment of a store; `stop` ends what was started for it. */
export interface StorePlace {
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** Behaviour of resumable uploads that does not depend on the store. Run with every driver. */
export function describeResumableUploads(name: string, start: () => Promise<StorePlace>): void {
  describe(`resumable uploads to ${name}`, () => {
    let place: StorePlace;
    let app: TestApp;
    let ann: Developer;
    let project: ProjectRef;
    let ci: Bearer;
    beforeAll(async () => {
      place = await start();
      app = await TestApp.start({ environment: place.environment });
    });
    beforeEach(async () => {
      // A new session, because these tests advance the clock by days.
      ann = await app.developer();
      project = await ann.createsProject(await ann.createsOrganization());
      ci = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
    });
    afterAll(async () => {
      await app.stop();
      await place.stop();
    });

    const starts = (
      file: UploadFile = LARGE,
      fields: Readonly<Record<string, string>> = MAC,
    ): Promise<ResumableClient> => ResumableClient.start(ci, project, file, fields);
    const sent = async (
      file: UploadFile = LARGE,
      fields: Readonly<Record<string, string>> = MAC,
    ): Promise<ResumableClient> => {
      const client = await starts(file, fields);
      await client.sendAll();
      return client;
    };
    const builds = async (): Promise<BuildJson[]> =>
      ((await ci.get(`/builds?${scope(project)}`).expect(200)).body as { items: BuildJson[] }).items;
    const rows = async (from: string): Promise<number> =>
      (await app.sql<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${from}`))[0]!.rows;
    const reservations = (): Promise<Record<string, unknown>[]> =>
      app.sql(
        'SELECT state, size_bytes, actual_bytes FROM reservation WHERE organization_id = $1 ORDER BY created_at',
        [project.organizationId],
      );
    const events = async (): Promise<string[]> =>
      (
        await app.sql<{ type: string }>(
          `SELECT type FROM audit_event WHERE project_id = $1 AND type LIKE 'build.%' ORDER BY time, id`,
          [project.id],
        )
      ).map(({ type }) => type);
    const store = () => app.nest.get(StorageService, { strict: false }).storeOf(app.systemContext, 'hosted');
    const keys = async (): Promise<string[]> => {
      const found = [];
      for await (const { key } of (await store()).list('builds/')) found.push(key);
      return found;
    };
    const download = async (buildId: string): Promise<Buffer> => {
      const minted = await ann.post(`/builds/${buildId}/download-url?${scope(project)}`).expect(200);
      const answer = await fetch(app.url + new URL((minted.body as { url: string }).url).pathname);
      return Buffer.from(await answer.arrayBuffer());
    };
    /** Runs the sweep after the time of the second deletion. */
    const sweeps = async (): Promise<void> => {
      await app.clock.advance({ minutes: 46 });
      await app.runsJob('builds.sweep-uploads');
      expect(await app.sql('SELECT last_error FROM graphile_worker.jobs WHERE last_error IS NOT NULL')).toEqual([]);
    };
    const isNothingLeft = async (client: ResumableClient): Promise<void> => {
      const [row] = await app.sql<{ store_upload_id: string | null }>(
        'SELECT store_upload_id FROM resumable_upload WHERE id = $1',
        [client.id],
      );
      await sweeps();
      expect(await rows(`artifact_upload WHERE id = '${client.id}'`)).toBe(0);
      expect((await reservations()).filter(({ state }) => state === 'active')).toEqual([]);
      expect(await keys()).not.toContain(`builds/${client.id}`);
      expect(await (await store()).parts.listParts(`builds/${client.id}`, row?.store_upload_id ?? '')).toEqual([]);
    };

    it('make a build of parts that arrive in any order and in parallel', async () => {
      const client = await starts(LARGE, { ...MAC, sha256: sha256(LARGE.bytes), notes: 'in parts', branch: 'main' });
      expect(client.upload).toMatchObject({
        state: 'open',
        file_name: 'Demo.dmg',
        size_bytes: LARGE.bytes.length,
        part_size_bytes: PART_BYTES,
        part_count: 3,
        build_id: null,
        parts: [
          { part_number: 1, size_bytes: PART_BYTES, arrived: false },
          { part_number: 2, size_bytes: PART_BYTES, arrived: false },
          { part_number: 3, size_bytes: 12_345, arrived: false },
        ],
      });
      const urls = await client.urls(3, 1, 2);
      const answers = await Promise.all(
        [3, 1, 2].map((number, index) => client.put(urls[index]!, client.part(number))),
      );
      for (const { status } of answers) expect(status).toBeLessThan(300);
      expect(await client.arrived()).toEqual([1, 2, 3]);
      const build = await client.completes();
      expect(build).toMatchObject({
        platform: 'macos',
        version: '1.0',
        notes: 'in parts',
        source: { branch: 'main' },
        file_name: 'Demo.dmg',
        size_bytes: LARGE.bytes.length,
        sha256: sha256(LARGE.bytes),
        uploaded_by: { kind: 'project_access_token' },
      });
      expect((await ci.get(client.path()).expect(200)).body).toMatchObject({ state: 'complete', build_id: build.id });
      const actual = String(LARGE.bytes.length);
      expect(await reservations()).toEqual([{ state: 'settled', size_bytes: actual, actual_bytes: actual }]);
      expect(await events()).toEqual(['build.upload_started', 'build.uploaded']);
      expect(sha256(await download(build.id))).toBe(sha256(LARGE.bytes));
    });

    describe('while parts are sent', () => {
      it('keep the last of several transfers of a part', async () => {
        const client = await starts();
        await client.send(1, randomBytes(PART_BYTES));
        await client.sendAll();
        expect(await client.completes()).toMatchObject({ sha256: sha256(LARGE.bytes) });
      });

      // red when: the hashed bytes are not the stored bytes
      it('do not change the checked artifact when a part is sent again during the completion', async () => {
        for (let round = 0; round < 4; round++) {
          const client = await sent();
          const [url] = await client.urls(1);
          const [{ status, body }] = await Promise.all([
            client.complete(),
            client.put(url!, randomBytes(PART_BYTES)).catch(() => null),
          ]);
          if (status !== 201) expect([status, body]).toMatchObject([400, { details: { reason: 'parts_mismatch' } }]);
          const { id, sha256: told } = status === 201 ? (body as BuildJson) : await client.completes();
          expect(sha256(await download(id))).toBe(told);
        }
      });

      // red when: an incomplete part is kept
      it('do not count a part whose client disconnects', async () => {
        const client = await starts();
        const [url] = await client.urls(1);
        for (const share of [0.01, 0.5, 0.99]) await client.cut(url!, share);
        expect(await client.arrived()).toEqual([]);
        await client.sendAll();
        await client.completes();
      });
    });

    describe('at the completion', () => {
      it('name the missing parts and succeed once they have arrived', async () => {
        const client = await starts();
        await client.send(2);
        const { body } = await client.complete().expect(400);
        expect(body).toMatchObject({
          error: 'invalid_input',
          details: { reason: 'parts_missing', missing_parts: [1, 3] },
        });
        expect(await client.arrived()).toEqual([2]);
        await client.send(1);
        await client.send(3);
        await client.completes();
      });

      // red when: a completion that finds no reservation does not look for the build: 404
      it('return the build that a concurrent completion makes before they extend the reservation', async () => {
        const client = await sent();
        const locks = new Client({ connectionString: app.database.ownerUrl });
        await locks.connect();
        const waiting = async (count: number): Promise<void> =>
          until(async () => {
            const sessions = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
            return (await app.sql(sessions)).length === count;
          });
        try {
          // The first completion has deleted the row of the upload when it waits for the account. The second one waits for that row.
          await locks.query('BEGIN');
          await locks.query('LOCK TABLE billing_account IN EXCLUSIVE MODE');
          const first = client
            .complete()
            .expect(201)
            .then(({ body }) => body as unknown);
          await waiting(1);
          const second = client
            .complete()
            .expect(201)
            .then(({ body }) => body as unknown);
          await waiting(2);
          await locks.query('COMMIT');
          expect(await second).toEqual(await first);
        } finally {
          await locks.end();
        }
      });

      // red when: `commit` does not look for the build under the lock
      it('make one build of concurrent and repeated completions', async () => {
        const beside = await TestApp.start({ beside: app, environment: place.environment, worker: false });
        const client = await sent();
        const other = beside.ci(ci.token);
        const [first, ...more] = await Promise.all([
          client.complete().expect(201),
          client.complete().expect(201),
          other.post(client.path('/complete')).expect(201),
        ]);
        more.push(await client.complete().expect(201));
        for (const { body } of more) expect(body).toEqual(first.body);
        expect(await builds()).toHaveLength(1);
        expect((await events()).filter((type) => type === 'build.uploaded')).toHaveLength(1);
        expect((await reservations()).map(({ state }) => state)).toEqual(['settled']);
        await beside.stop();
      });

      it('reject another hash and leave nothing behind', async () => {
        const client = await sent(LARGE, { ...MAC, sha256: sha256(Buffer.from('another')) });
        const { body } = await client.complete().expect(400);
        expect(body).toMatchObject({ details: { reason: 'sha256_mismatch', sha256: sha256(LARGE.bytes) } });
        await ci.get(client.path()).expect(404);
        await client.complete().expect(404);
        expect(await builds()).toEqual([]);
        expect(await events()).toEqual(['build.upload_started', 'build.upload_dropped']);
        await isNothingLeft(client);
      });
    });

    describe('at a drop', () => {
      it('release the reservation immediately and leave nothing behind', async () => {
        const client = await starts();
        await client.send(1);
        const [url] = await client.urls(2);
        await client.drop().expect(204);
        await client.drop().expect(404);
        await ci.get(client.path()).expect(404);
        await client.complete().expect(404);
        // Some stores accept the part, but none keeps it.
        await client.put(url!, client.part(2));
        expect((await reservations()).map(({ state }) => state)).toEqual(['released']);
        expect(await events()).toEqual(['build.upload_started', 'build.upload_dropped']);
        await isNothingLeft(client);
      });

      it('reject the drop once there is a build', async () => {
        const client = await sent(SMALL);
        await client.completes();
        expect((await client.drop().expect(400)).body).toMatchObject({ error: 'operation_not_allowed' });
        expect(await builds()).toHaveLength(1);
      });

      // red when: `commit` and `drop` do not lock the upload
      it('end in a build or in nothing when a completion runs at the same time', async () => {
        for (let round = 0; round < 8; round++) {
          const client = await sent(SMALL);
          const before = (await builds()).length;
          const [completed, dropped] = await Promise.all([client.complete(), client.drop()]);
          const made = (await builds()).length - before;
          expect([
            [201, 400, 1],
            [404, 204, 0],
          ]).toContainEqual([completed.status, dropped.status, made]);
        }
      });
    });

    describe('after a while', () => {
      // red when: an expired reservation is not replaced, or every call makes one
      it('release the reservation after half an hour without parts and make a new one on the next use', async () => {
        const client = await starts();
        await app.clock.advance({ minutes: 31 });
        await app.runsJob('billing.release-expired');
        expect((await reservations()).map(({ state }) => state)).toEqual(['expired']);
        await client.sendAll();
        expect((await reservations()).map(({ state }) => state)).toEqual(['expired', 'active']);
        await app.clock.advance({ hours: 3 });
        await app.runsJob('billing.release-expired');
        await client.completes();
        expect((await reservations()).map(({ state }) => state).sort()).toEqual(
          expect.arrayContaining(['expired', 'settled']),
        );
        expect((await reservations()).filter(({ state }) => state === 'settled')).toHaveLength(1);
      });

      // red when: an upload whose parts the store has deleted stays open
      it.each([
        [
          'a request for part URLs',
          (client: ResumableClient) => ci.post(client.path('/part-urls'), { part_numbers: [2] }),
        ],
        ['a completion', (client: ResumableClient) => client.complete()],
      ])('end when the store no longer has their parts, at %s', async (_, requests) => {
        const client = await starts();
        await client.send(1);
        const [row] = await app.sql<{ blob_key: string; store_upload_id: string }>(
          'SELECT blob_key, store_upload_id FROM artifact_upload JOIN resumable_upload USING (id) WHERE id = $1',
          [client.id],
        );
        const { parts } = await store();
        await parts.abort(row!.blob_key, row!.store_upload_id);
        await app.clock.advance({ minutes: 2 });
        // Azure needs no upload to exist: parts can be sent again.
        if (!parts.isOpen) {
          await client.complete().expect(400);
          await client.sendAll();
          await client.completes();
          return;
        }
        const response = await requests(client).expect(404);
        expect(response.body).toMatchObject({ error: 'not_found' });
        await ci.get(client.path()).expect(404);
        expect((await reservations()).map(({ state }) => state)).toEqual(['released']);
        await isNothingLeft(client);
      });

      it('end when a part is sent to a store that no longer has them', async () => {
        const client = await ResumableClient.start(ci, project, LARGE, MAC, 'service');
        const [url] = await client.urls(1);
        const [row] = await app.sql<{ blob_key: string; store_upload_id: string }>(
          'SELECT blob_key, store_upload_id FROM artifact_upload JOIN resumable_upload USING (id) WHERE id = $1',
          [client.id],
        );
        const { parts } = await store();
        await parts.abort(row!.blob_key, row!.store_upload_id);
        const { status } = await client.put(url!, client.part(1));
        expect(status).toBe(parts.isOpen ? 404 : 204);
        await ci.get(client.path()).expect(parts.isOpen ? 404 : 200);
      });

      it('expire a day after their last use, with their parts', async () => {
        const client = await starts();
        await app.clock.advance({ hours: 23 });
        await client.send(1);
        await app.clock.advance({ hours: 23 });
        await app.runsJob('builds.sweep-uploads');
        expect(await client.arrived()).toEqual([1]);
        await app.clock.advance({ hours: 2 });
        await ci.get(client.path()).expect(404);
        await app.runsJob('builds.sweep-uploads');
        expect(await events()).toEqual(['build.upload_started', 'build.upload_dropped']);
        await isNothingLeft(client);
        await app.runsJob('builds.prune-resumable-uploads');
        expect(await rows(`resumable_upload WHERE id = '${client.id}'`)).toBe(0);
      });
    });
  });
}
