import { randomBytes, randomUUID } from 'node:crypto';
import { SlowUpload, type UploadAnswer } from '../support/actors/slow-upload';
import { UploadFixture } from '../support/actors/upload-fixture';
import { type CrashPlace } from '../support/processes/crash-places';

const MIB = 1024 * 1024;
/** Kills at each fixed point, and freezes. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 1);
/** Kills at moments that differ from run to run. */
const RANDOM_KILLS = Math.max(3, ROUNDS + 1);

jest.setTimeout(240_000 + ROUNDS * 30_000);

/** Uploads whose process is killed or frozen, or whose client disconnects. Run with every driver. */
export function describeUploadCrash(name: string, start: () => Promise<CrashPlace>): void {
  describe(`an interrupted upload to ${name}`, () => {
    let fixture: UploadFixture;
    beforeAll(async () => {
      fixture = await UploadFixture.start(await start());
    });
    afterAll(() => fixture.stop());

    describe('whose process is killed', () => {
      type Lost = Promise<UploadAnswer | null>[];
      /** Uploads until the kill: on a busy machine the lock timeout can end an upload first, with 503. */
      const uploadsUntilKilled = async (): Promise<UploadAnswer | null> => {
        const answer = await fixture.begins().finish();
        return answer?.status === 503 ? uploadsUntilKilled() : answer;
      };
      /** Each brings two uploads to the point of the kill. */
      const points: Record<string, () => Promise<Lost>> = {
        'after the reservation, before any byte': async () => {
          const uploads = [fixture.begins(), fixture.begins()];
          await fixture.until(async () => (await fixture.rows(`artifact_upload WHERE state = 'pending'`)) === 2);
          return uploads.map(({ answer }) => answer);
        },
        'in the middle of the stream': async () => {
          const uploads = await Promise.all([fixture.begins().sendUpTo(0.5), fixture.begins().sendUpTo(0.7)]);
          await fixture.arrived(2, fixture.place.heldBytes);
          return uploads.map(({ answer }) => answer);
        },
        'after the last byte, before the blob is published': async () => {
          const uploads = await Promise.all([fixture.begins().sendUpTo(1), fixture.begins().sendUpTo(1)]);
          await fixture.arrived(2, fixture.place.fileBytes - fixture.place.heldBytes);
          return uploads.map(({ answer }) => answer);
        },
        'as soon as the blob is published': async () => {
          const before = (await fixture.keys()).length;
          const lost = [uploadsUntilKilled(), uploadsUntilKilled()];
          await fixture.until(async () => (await fixture.keys()).length > before);
          return lost;
        },
        'after the blob, before the commit': async () => {
          const lost = [uploadsUntilKilled(), uploadsUntilKilled()];
          await fixture.until(async () => (await fixture.waitingCommits()) === 2);
          return lost;
        },
      };

      // red when: the intent row is inserted after the bytes; the sweep does not release the reservation, or deletes the bytes
      // only once; the build is committed before its blob is published
      it.each(Object.keys(points))('%s leaves nothing behind', async (point) => {
        for (let round = 0; round < ROUNDS; round++) {
          const before = await fixture.rows('build');
          await fixture.whileCommitsWait(async () => {
            const lost = await points[point]!();
            await fixture.server.kill();
            expect(await Promise.all(lost)).toEqual([null, null]);
          });
          expect(await fixture.rows('build')).toBe(before);
          await fixture.restarts();
          await fixture.expectNothingLeftAfterSweeps();
        }
      });

      it('as soon as the commit is visible has made a whole build, with or without a response', async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const before = await fixture.rows('build');
          const answers = [fixture.begins(), fixture.begins()].map((upload) => upload.finish());
          await fixture.until(async () => (await fixture.rows('build')) > before);
          await fixture.server.kill();
          const heard = (await Promise.all(answers)).filter((answer) => answer?.status === 201);
          expect(await fixture.rows('build')).toBeGreaterThanOrEqual(before + Math.max(1, heard.length));
          await fixture.restarts();
          await fixture.expectNothingLeftAfterSweeps();
        }
      });

      it('at a random moment leaves whole builds or nothing', async () => {
        for (let round = 0; round < RANDOM_KILLS; round++) {
          const delayMs = Math.round(Math.random() * (100 + 100 * (fixture.place.fileBytes / MIB)));
          const before = await fixture.rows('build');
          const answers = Array.from({ length: 6 }, () => fixture.begins().finish());
          await new Promise((resolve) => setTimeout(resolve, delayMs));
          await fixture.server.kill();
          const heard = (await Promise.all(answers)).filter((answer) => answer?.status === 201);
          const made = (await fixture.rows('build')) - before;
          // The moment is random, so a failure shows it.
          expect({ delayMs, isBuildLost: made < heard.length }).toEqual({ delayMs, isBuildLost: false });
          await fixture.restarts();
          await fixture.expectNothingLeftAfterSweeps();
        }
      });
    });

    // red when: the commit does not check the lease; the second sweep does not delete
    it('cannot commit after a freeze past its lease, and the second sweep deletes its blob', async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const before = await fixture.rows('build');
        const upload = await fixture.begins(randomBytes(3 * MIB)).sendUpTo(1);
        await fixture.arrived(1, 3 * MIB - fixture.place.heldBytes);
        const [row] = await fixture.app.sql<{ blob_key: string }>('SELECT blob_key FROM artifact_upload');
        fixture.server.signal('SIGSTOP');
        await fixture.app.clock.advance({ minutes: 3 });
        await fixture.app.runsJob('builds.sweep-uploads');
        expect(await fixture.rows(`artifact_upload WHERE state = 'abandoned'`)).toBe(1);

        fixture.server.signal('SIGCONT');
        const answer = await upload.finish();
        const headers = { 'retry-after': expect.stringMatching(/^\d+$/) as string };
        expect(answer).toMatchObject({ status: 503, headers });
        expect(await fixture.rows('build')).toBe(before);
        // The blob was stored after the first deletion, and its row still exists.
        expect(await fixture.keys()).toContain(row!.blob_key);
        await fixture.expectNothingLeftAfterSweeps();
        expect(await fixture.keys()).not.toContain(row!.blob_key);
      }
    });

    // red when: the end of an attempt does not check who holds the claim
    it('makes no second build after a freeze during which the client retried elsewhere', async () => {
      const before = await fixture.rows('build');
      const bytes = randomBytes(fixture.place.fileBytes);
      const headers = { 'Idempotency-Key': randomUUID() };
      const frozen = await fixture.begins(bytes, headers).sendUpTo(1);
      await fixture.arrived(1, fixture.place.fileBytes - fixture.place.heldBytes);
      fixture.server.signal('SIGSTOP');
      await fixture.app.clock.advance({ seconds: 31 });
      const retried = await new SlowUpload(fixture.app, fixture.token, fixture.project, bytes, headers).finish();
      expect(retried).toMatchObject({ status: 201 });
      fixture.server.signal('SIGCONT');
      expect(await frozen.finish()).toMatchObject({ status: 409 });
      expect(await fixture.rows('build')).toBe(before + 1);
      const again = await fixture.begins(bytes, headers).finish();
      expect(again).toMatchObject({ status: 201, text: retried!.text });
      await fixture.expectNothingLeftAfterSweeps();
    });

    // red when: an error is not followed by `rollBack`; an interrupted write leaves its parts in the store
    it.each([0.01, 0.5, 0.99])(
      'leaves nothing behind immediately when its client disconnects after %d of the file',
      async (share) => {
        const before = await fixture.rows('build');
        const uploads = Array.from({ length: 7 }, () => fixture.begins());
        await Promise.all(uploads.map((upload) => upload.sendUpTo(share)));
        await fixture.until(async () => (await fixture.rows('artifact_upload')) === uploads.length);
        for (const upload of uploads) upload.abort();
        await fixture.until(async () => (await fixture.rows('artifact_upload')) === 0);
        expect(await fixture.rows(`reservation WHERE state = 'active' AND kind = 'upload'`)).toBe(0);
        await fixture.until(async () => (await fixture.place.remains(fixture.app)).length === 0);
        expect(await fixture.rows('build')).toBe(before);
        await fixture.expectOnlyWholeBuilds();
      },
    );
  });
}
