// Streamed downloads against createReadStream with its 64 KiB default, piped (goals 6 and 7 of the performance notes).
// Needs a build: npm run build && node bench/download.mjs [rounds]
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { compare, serve, startServer } from './measure.mjs';

const self = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
const SIZE_BYTES = 100_000_000;
const CLIENTS = 16;
const content = () => randomBytes(SIZE_BYTES);

const servers = {
  raw(folder) {
    const path = join(folder, 'raw');
    writeFileSync(path, content());
    return createServer((req, res) => {
      const [, first, last] = /bytes=(\d+)-(\d+)/.exec(req.headers.range ?? '') ?? [];
      const range = first === undefined ? {} : { start: Number(first), end: Number(last) };
      const length = first === undefined ? SIZE_BYTES : range.end - range.start + 1;
      res.writeHead(first === undefined ? 200 : 206, { 'Content-Length': length });
      createReadStream(path, range).pipe(res);
    });
  },
  async agate(folder) {
    const express = require('express');
    const { LocalBlobStore } = require('../dist/src/infra/blob/local/local-blob-store.js');
    const { sendBlob } = require('../dist/src/infra/http/response/blob-response.js');
    const store = new LocalBlobStore(folder);
    const bytes = content();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await store.write('a', Readable.from([bytes]));
    const blob = {
      store,
      key: 'a',
      sizeBytes: SIZE_BYTES,
      sha256,
      fileName: 'app.ipa',
      mediaType: 'application/octet-stream',
    };
    const app = express();
    app.get('/', (req, res) => sendBlob(req, res, blob));
    return createServer(app);
  },
};

const agent = new Agent({ keepAlive: true });
const download = (port, headers) =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent, headers }, (incoming) => {
      let bytes = 0;
      incoming.on('data', (chunk) => (bytes += chunk.length)).on('end', () => resolve(bytes));
    }).on('error', reject);
  });

/** `count` requests by 16 clients; returns the bytes received. */
async function downloads({ port }, count, headersOf) {
  let [left, bytes] = [count, 0];
  const client = async () => {
    while (left-- > 0) {
      const received = await download(port, headersOf());
      bytes += received;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return bytes;
}

function oneMegabyte() {
  const start = Math.floor(Math.random() * (SIZE_BYTES - 1e6));
  return { range: `bytes=${start}-${start + 1e6 - 1}` };
}

if (process.argv[2] === '--serve') {
  const folder = mkdtempSync(join(tmpdir(), 'agate-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await serve(await servers[process.argv[3]](folder));
} else {
  const rounds = Number(process.argv[2] ?? 7);
  const running = [await startServer(self, 'raw'), await startServer(self, 'agate')];
  await compare('Download of 100 MB, 16 clients', running, rounds, (server) => downloads(server, 32, () => ({})));
  await compare('Ranges of 1 MB, 16 clients', running, rounds, (server) => downloads(server, 1600, oneMegabyte));
  running.forEach((server) => server.stop());
  agent.destroy();
}
