import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apk } from '../support/artifacts/valid-artifacts';
import { filesIn, onDisk } from '../support/processes/crash-places';
import { UploadScene } from '../support/actors/upload-fixture';
import { describeUploadCrash } from '../suites/upload-crash.suite';

const MIB = 1024 * 1024;

describeUploadCrash('a disk', () => Promise.resolve(onDisk));

/** Reliability G4: a store in the cloud that fails is in test/api/storage/cloud-storage.spec.ts. */
describe('an upload to a disk', () => {
  let scene: UploadScene;
  beforeAll(async () => {
    scene = await UploadScene.start(onDisk);
  });
  afterAll(() => scene.stop());

  describe('G4: a disk that is full', () => {
    const run = promisify(execFile);
    let folder: string;
    let mounted = false;

    beforeAll(async () => {
      folder = join(scene.app.dataDirectory, 'artifacts');
      await rm(folder, { recursive: true, force: true });
      await scene.app.sql('DELETE FROM build');
      await mkdir(folder);
      mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder]).then(
        () => true,
        () => false,
      );
    });
    afterAll(async () => {
      if (mounted) await run('umount', ['--lazy', folder]);
    });

    // red when: a failed write is not taken for the store's failure (it is a 500 then), or the claim is kept
    it('is 503 with Retry-After, leaves nothing, and the same key works once there is room', async () => {
      if (!mounted) {
        console.warn('SKIPPED: a full disk needs the right to mount a tmpfs (root).');
        return;
      }
      const bytes = randomBytes(20 * MIB);
      const headers = { 'Idempotency-Key': randomUUID() };
      const answer = await scene.begins(bytes, headers).finish();
      expect(answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) as string },
      });
      expect(JSON.parse(answer!.text)).toMatchObject({ error: 'storage_backend_unavailable' });
      expect(await scene.rows('build')).toBe(0);
      expect(await scene.rows('artifact_upload')).toBe(0);
      expect(await scene.rows(`reservation WHERE state = 'active' AND kind = 'upload'`)).toBe(0);
      expect(await filesIn(scene.app, '.incoming')).toEqual([]);
      // Small ones still fit: nothing is left of the large one.
      await scene.ci.uploads(scene.project, { bytes: apk(), fileName: 'Demo.apk' });
      await scene.app.anonymous.get('/api/v1/ready').expect(200);

      await run('mount', ['-o', 'remount,size=64m', folder]);
      expect(await scene.begins(bytes, headers).finish()).toMatchObject({ status: 201 });
      await scene.expectNothingLeftAfterSweeps();
    });
  });
});
