// The reference servers of service.mjs: plain node servers that only move bytes, without authentication and database.
// service.mjs starts this file with `--serve upload` or `--serve download`, in a process of its own.
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { serve } from './measure.mjs';

const SIZE_BYTES = 100_000_000;

const servers = {
  /** Hashes the request body while it writes it to a file, and deletes the file. */
  upload: (folder) =>
    createServer(async (request, response) => {
      const hash = createHash('sha256');
      const hashing = new Transform({ transform: (chunk, _encoding, done) => (hash.update(chunk), done(null, chunk)) });
      const path = join(folder, 'raw');
      await pipeline(request, hashing, createWriteStream(path));
      response.end(hash.digest('hex'));
      rmSync(path);
    }),
  /** Sends a file of 100 MB, or a range of it. */
  download(folder) {
    const path = join(folder, 'raw');
    writeFileSync(path, randomBytes(SIZE_BYTES));
    return createServer((request, response) => {
      const [, first, last] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
      const range = first === undefined ? {} : { start: Number(first), end: Number(last) };
      const length = first === undefined ? SIZE_BYTES : range.end - range.start + 1;
      response.writeHead(first === undefined ? 200 : 206, { 'Content-Length': length });
      createReadStream(path, range).pipe(response);
    });
  },
};

const folder = mkdtempSync(join(tmpdir(), 'agate-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await serve(servers[process.argv[3]](folder));
