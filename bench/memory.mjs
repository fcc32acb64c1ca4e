// Measures the memory of the service's process during one upload of 2 GB in a form, one in parts, and one download.
// npm run bench memory (BENCH_BYTES=… changes the size)
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { Failure, run } from '../scripts/support/project.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, download, upload, uploadInParts } from './transfer.mjs';

const SIZE_BYTES = Number(process.env.BENCH_BYTES ?? 2_000_000_000);
/** Time for the garbage of the start to be collected. */
const REST_MS = 5_000;

await run(async () => {
  await ensureBuilt();
  const service = await startService();
  try {
    await sleep(REST_MS);
    const { rss: idle } = await service.usage();
    const peakDuring = async (work) => {
      service.resetPeak();
      await work();
      return (await service.usage()).peakRss;
    };
    let build;
    const uploading = await peakDuring(async () => (build = JSON.parse(await upload(service, SIZE_BYTES))));
    const inParts = await peakDuring(() => uploadInParts(service, SIZE_BYTES));
    const path = await service.mint(build.id);
    const downloading = await peakDuring(async () => {
      if ((await download(service, path)) !== SIZE_BYTES) throw new Failure('The download is incomplete.');
    });
    const row = (name, bytes) =>
      console.log(
        `${name.padEnd(32)}${(bytes / 1e6).toFixed(0).padStart(6)} MB   +${((bytes - idle) / 1e6).toFixed(0)} MB`,
      );
    console.log(`Memory of the service's process with one file of ${SIZE_BYTES / 1e6} MB:`);
    row('idle', idle);
    row('peak during the upload', uploading);
    row('peak during the upload in parts', inParts);
    row('peak during the download', downloading);
  } finally {
    closeConnections();
    await service.stop();
  }
});
