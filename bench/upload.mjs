// Upload to local disk against raw node http → sha256 Transform → createWriteStream (goals 1 and 2 of the performance notes).
// Needs a build: npm run build && node bench/upload.mjs [MB per upload] [rounds] [GB for the memory run]
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { compare, serve, startServer } from './measure.mjs';

const self = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
// As long as curl's: the parser skips ahead by the length of the boundary.
const BOUNDARY = '------------------------d74496d66958873e012345';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="app.apk"\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

const servers = {
  raw(folder) {
    return createServer(async (req, res) => {
      const hash = createHash('sha256');
      const hashing = new Transform({ transform: (chunk, _encoding, done) => (hash.update(chunk), done(null, chunk)) });
      const path = join(folder, 'raw');
      await pipeline(req, hashing, createWriteStream(path));
      res.end(hash.digest('hex'));
      rmSync(path);
    });
  },
  agate(folder) {
    const express = require('express');
    const { LocalBlobStore } = require('../dist/src/infra/blob/local/local-blob-store.js');
    const { receiveForm } = require('../dist/src/infra/http/upload/receive-form.js');
    const store = new LocalBlobStore(folder);
    let count = 0;
    const app = express();
    app.post('/', async (req, res) => {
      const open = async () => ({ store, key: `upload/${(count += 1)}` });
      const { file } = await receiveForm(req, res, { maxBytes: 1e12, open });
      res.end(file.sha256);
      await store.delete(file.key);
    });
    return createServer(app);
  },
};

async function upload({ port, name }, bytes) {
  const block = randomBytes(1024 * 1024);
  const body = function* () {
    if (name === 'agate') yield Buffer.from(HEAD);
    for (let left = bytes; left > 0; left -= block.length) yield left < block.length ? block.subarray(0, left) : block;
    if (name === 'agate') yield Buffer.from(TAIL);
  };
  const extra = name === 'agate' ? HEAD.length + TAIL.length : 0;
  const headers = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, 'Content-Length': bytes + extra };
  await new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false }, (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`status ${incoming.statusCode}`));
      incoming.resume().on('end', resolve);
    });
    Readable.from(body(), { objectMode: false }).pipe(outgoing).on('error', reject);
  });
  return bytes;
}

if (process.argv[2] === '--serve') {
  const folder = mkdtempSync(join(tmpdir(), 'agate-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await serve(servers[process.argv[3]](folder));
} else {
  const [megabytes = 100, rounds = 9, gigabytes = 2] = process.argv.slice(2).map(Number);
  const running = [await startServer(self, 'raw'), await startServer(self, 'agate')];
  await compare(`Upload of ${megabytes} MB, sha256 included, one client`, running, rounds, (server) =>
    upload(server, megabytes * 1e6),
  );
  running.forEach((server) => server.stop());

  const fresh = await startServer(self, 'agate');
  await upload(fresh, 1e6);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const { rss } = await fresh.usage();
  fresh.resetPeak();
  await upload(fresh, gigabytes * 1e9);
  const { peakRss } = await fresh.usage();
  console.log(
    `Peak memory above idle (${(rss / 1e6).toFixed(0)} MB) in one upload of ${gigabytes} GB: ${((peakRss - rss) / 1e6).toFixed(0)} MB`,
  );
  fresh.stop();
}
