// Measures the memory that uploads hold whose clients stall, and whether it comes back.
// npm run bench stalled-uploads (BENCH_UPLOADS=… changes their number)
//
// Uploads of 39 MB to an S3 store send all but the last kilobyte and stop. Prints the resident memory of the service above idle while they
// stall, and after their clients have disconnected, and exits with 1 when either is more than 150 MB.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { Failure, run } from '../scripts/support/project.mjs';
import { startDiscardingStore } from './discarding-store.mjs';
import { startService } from './real-service.mjs';

const UPLOADS = Number(process.env.BENCH_UPLOADS ?? 40);
const FILE_BYTES = 39_000_000;
const LIMIT_BYTES = 150e6;
/** Time for the garbage of the start to be collected. */
const REST_MS = 5_000;
/** Time for the clients to send all bytes that the service accepts. Less than the time after which stalled uploads are cut off. */
const STALL_MS = 20_000;
/** Free buffers are dropped after ten seconds. */
const RETURN_MS = 30_000;

await run(async () => {
  await ensureBuilt();
  const store = await startDiscardingStore();
  const service = await startService(store.environment);
  try {
    await sleep(REST_MS);
    const idle = (await service.usage()).rss;
    service.resetPeak();
    const sockets = Array.from({ length: UPLOADS }, () => stallingUpload(service));
    await sleep(STALL_MS);
    const stalled = (await service.usage()).peakRss - idle;
    for (const socket of sockets) socket.destroy();
    await sleep(RETURN_MS);
    const after = (await service.usage()).rss - idle;
    const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
    console.log(`${UPLOADS} stalled uploads of ${mb(FILE_BYTES)}; the idle process uses ${mb(idle)}.`);
    console.table({
      'highest while they stall, above idle': {
        memory: mb(stalled),
        'ratio to the limit': (stalled / LIMIT_BYTES).toFixed(2),
      },
      'after they left, above idle': { memory: mb(after), 'ratio to the limit': (after / LIMIT_BYTES).toFixed(2) },
    });
    if (Math.max(stalled, after) > LIMIT_BYTES) throw new Failure(`The limit is ${mb(LIMIT_BYTES)} above idle.`);
  } finally {
    store.stop();
    await service.stop();
  }
});

/** Sends an upload without its last kilobyte. */
function stallingUpload({ port, uploadPath, headers }) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="Bench.dmg"\r\n\r\n';
  socket.write(
    `POST ${uploadPath} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${headers.Authorization}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${FILE_BYTES}\r\n\r\n${head}`,
  );
  socket.write(Buffer.alloc(FILE_BYTES - 1_000 - head.length));
  return socket;
}
