// Measures uploads, downloads and ranges of the service against plain node servers that only move bytes, and the memory of many
// concurrent uploads. npm run bench service [-- rounds]
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { compare, startServer } from './measure.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, download, upload, uploadInParts } from './transfer.mjs';

const SIZE_BYTES = 100_000_000;
const RANGE_BYTES = 1_000_000;
const CLIENTS = 16;
const DOWNLOADS = 32;
const RANGES = 800;
/** Below the limit of a ticket, which is three times the size of its artifact. */
const RANGES_PER_TICKET = 200;
const UPLOADS_AT_ONCE = 20;
const UPLOAD_BYTES = 50_000_000;

const rounds = Number(process.argv[2] ?? 7);
const rawServer = fileURLToPath(new URL('raw-server.mjs', import.meta.url));
await ensureBuilt();
const service = await startService();
const rawUpload = { ...(await startServer(rawServer, 'upload')), name: 'raw' };
const rawDownload = { ...(await startServer(rawServer, 'download')), name: 'raw' };

const pathFor = async ({ mint }) => (mint ? mint(buildId) : '/');

/** Runs `count` downloads with 16 clients, `perTicket` with each ticket, including the requests for the tickets. @returns the bytes. */
async function downloads(server, count, perTicket, headersOf) {
  let [left, bytes] = [count, 0];
  const client = async () => {
    for (let used = 0, path; left > 0; used += 1) {
      left -= 1;
      if (used % perTicket === 0) path = await pathFor(server);
      const received = await download(server, path, headersOf());
      bytes += received;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return bytes;
}

function someRange() {
  const start = Math.floor(Math.random() * (SIZE_BYTES - RANGE_BYTES));
  return { range: `bytes=${start}-${start + RANGE_BYTES - 1}` };
}

let buildId;
try {
  ({ id: buildId } = JSON.parse(await upload(service, SIZE_BYTES)));
  await compare('Upload of 100 MB, one client', [rawUpload, service], rounds, async (server) => {
    await upload(server, SIZE_BYTES);
    return SIZE_BYTES;
  });
  const sendParts = (options) => async (server) => {
    await (server === service ? uploadInParts(server, SIZE_BYTES, options) : upload(server, SIZE_BYTES));
    return SIZE_BYTES;
  };
  await compare('Parts of 100 MB, three concurrently', [rawUpload, service], rounds, sendParts({ completes: false }));
  await compare('Upload of 100 MB in parts', [rawUpload, service], rounds, sendParts());
  await compare('Download of 100 MB, one ticket each, 16 clients', [rawDownload, service], rounds, (server) =>
    downloads(server, DOWNLOADS, 1, () => ({})),
  );
  await compare('Ranges of 1 MB, 16 clients', [rawDownload, service], rounds, (server) =>
    downloads(server, RANGES, RANGES_PER_TICKET, someRange),
  );

  await sleep(2000);
  const { rss } = await service.usage();
  service.resetPeak();
  const uploads = Array.from({ length: UPLOADS_AT_ONCE }, () => upload(service, UPLOAD_BYTES));
  const rejected = (await Promise.allSettled(uploads)).filter(({ status }) => status === 'rejected');
  const { peakRss } = await service.usage();
  console.log(
    `\n${UPLOADS_AT_ONCE} uploads of ${UPLOAD_BYTES / 1e6} MB concurrently: ${((peakRss - rss) / 1e6).toFixed(0)} MB above idle ` +
      `(${(rss / 1e6).toFixed(0)} MB); rejected: ${rejected.length}`,
  );
  for (const { reason } of rejected) console.log(String(reason));
} finally {
  closeConnections();
  rawUpload.stop();
  rawDownload.stop();
  await service.stop();
}
