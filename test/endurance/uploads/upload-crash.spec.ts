import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeUploadCrash } from '../../suites/upload-crash.suite';
import { UploadFixture } from '../../support/actors/upload-fixture';
import { apk } from '../../support/artifacts/valid-artifacts';
import { filesIn, inTheCloud, onDisk } from '../../support/processes/crash-places';
import { onAzure, onS3 } from '../../support/servers/stores/cloud-places';

const MIB = 1024 * 1024;

describeUploadCrash('a disk', () => Promise.resolve(onDisk));
describeUploadCrash('S3', () => inTheCloud(onS3));
describeUploadCrash('Azure', () => inTheCloud(onAzure));

/** Failing cloud stores are tested in ../stores/cloud-storage.spec.ts. */
describe('an upload to a disk', () => {
  let fixture: UploadFixture;
  beforeAll(async () => {
    // The disk of a test is smaller than the room that the service leaves free by default.
    fixture = await UploadFixture.start({
      ...onDisk,
      environment: { ...onDisk.environment, STORAGE_MIN_FREE_BYTES: '0' },
    });
  });
  afterAll(() => fixture.stop());

  describe('that is full', () => {
    const run = promisify(execFile);
    let folder: string;
    let mounted = false;

    beforeAll(async () => {
      folder = join(fixture.app.dataDirectory, 'artifacts');
      await rm(folder, { recursive: true, force: true });
      await fixture.app.sql('DELETE FROM build');
      await mkdir(folder);
      mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]).then(
        () => true,
        () => false,
      );
    });
    afterAll(async () => {
      if (mounted) await run('umount', ['--lazy', folder]);
    });

    // red when: a failed write is not a failure of the store (it is a 500 then), or the claim is kept
    it('is 503 with Retry-After, leaves nothing behind, and succeeds with the same key once there is room', async () => {
      if (!mounted) {
        console.warn('SKIPPED: a full disk needs root to mount a tmpfs.');
        return;
      }
      const bytes = randomBytes(20 * MIB);
      const headers = { 'Idempotency-Key': randomUUID() };
      const answer = await fixture.begins(bytes, headers).finish();
      expect(answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) as string },
      });
      expect(JSON.parse(answer!.text)).toMatchObject({ error: 'storage_backend_unavailable' });
      expect(await fixture.rows('build')).toBe(0);
      expect(await fixture.rows('artifact_upload')).toBe(0);
      expect(await fixture.rows(`reservation WHERE state = 'active' AND kind = 'upload'`)).toBe(0);
      expect(await filesIn(fixture.app, '.incoming')).toEqual([]);
      // A small file fits, because nothing is left of the large one.
      await fixture.ci.uploads(fixture.project, { bytes: apk(), fileName: 'Demo.apk' });
      await fixture.app.anonymous.get('/api/v1/ready').expect(200);

      await run('mount', ['-o', 'remount,size=64m', folder]);
      expect(await fixture.begins(bytes, headers).finish()).toMatchObject({ status: 201 });
      await fixture.expectNothingLeftAfterSweeps();
    });
  });
});
