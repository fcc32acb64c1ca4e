#!/usr/bin/env node
// Uploads a large artifact to Agate in parallel parts, and resumes an interrupted run.
//
//   AGATE=https://agate.example.com TOKEN=ag_prj_… node resumable-upload.mjs Demo.ipa --notes 'What to test'
//
// The id of the upload is stored beside the file until the build exists, so running the same command again resumes it. Needs only
// Node 20. Prints the build as JSON; progress goes to stderr.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const ATTEMPTS = 8;
/** Part URLs per request: they are valid for half an hour. */
const BATCH = 20;

const TEXTS = ['version', 'build-number', 'platform', 'notes', 'branch', 'commit', 'ci-url'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    parallel: { type: 'string', default: '4' },
    ...Object.fromEntries(TEXTS.map((name) => [name, { type: 'string' }])),
  },
});
const [file] = positionals;
const { AGATE, TOKEN } = process.env;
if (!file || !AGATE || !TOKEN) {
  console.error('Usage: AGATE=<address> TOKEN=<token> node resumable-upload.mjs <file> [--parallel 4] [--notes …] …');
  process.exit(2);
}
const note = `${file}.agate-upload`;

/** Retries after a broken connection, 429 and 5xx: every request here may be repeated. */
async function send(url, options, attempt = 1) {
  const pause = Math.min(250 * 2 ** attempt, 10_000);
  let response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    if (attempt === ATTEMPTS) throw error;
    await setTimeout(pause);
    return send(url, options, attempt + 1);
  }
  if ((response.status === 429 || response.status >= 500) && attempt < ATTEMPTS) {
    await response.body?.cancel();
    await setTimeout(Math.max(pause, Number(response.headers.get('retry-after') ?? 0) * 1000));
    return send(url, options, attempt + 1);
  }
  return response;
}

async function api(method, path, body) {
  const response = await send(`${AGATE}/api/v1/builds/uploads${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      ...(method === 'POST' && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
    },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  });
  const result = await response.json();
  if (!response.ok) throw Object.assign(new Error(`${result.error}: ${result.message}`), { status: response.status });
  return result;
}

async function sha256Of(path) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest('hex');
}

/** The upload of an earlier run, if its file has the same hash. `null` when there is none or it has expired. */
async function resumed(sha256) {
  const noted = await readFile(note, 'utf8').then(JSON.parse, () => null);
  if (noted?.sha256 !== sha256) return null;
  return api('GET', `/${noted.id}`).catch((error) => {
    if (error.status === 404) return null;
    throw error;
  });
}

async function started(sha256) {
  const { size } = await stat(file);
  const texts = TEXTS.filter((name) => values[name] !== undefined);
  const upload = await api('POST', '', {
    file_name: basename(file),
    size_bytes: size,
    sha256,
    ...Object.fromEntries(texts.map((name) => [name.replaceAll('-', '_'), values[name]])),
  });
  await writeFile(note, JSON.stringify({ id: upload.id, sha256 }));
  return upload;
}

async function sendPart(source, upload, { part_number: number, size_bytes: size, url }) {
  const bytes = Buffer.alloc(size);
  await source.read(bytes, 0, size, (number - 1) * upload.part_size_bytes);
  const response = await send(url, { method: 'PUT', body: bytes });
  if (!response.ok) throw new Error(`Part ${number} was refused: ${response.status} ${await response.text()}`);
  await response.body?.cancel();
  console.error(`part ${number} of ${upload.part_count}`);
}

async function sendMissing(upload) {
  const missing = upload.parts.filter((part) => !part.arrived).map((part) => part.part_number);
  const source = await open(file);
  try {
    while (missing.length > 0) {
      const { urls } = await api('POST', `/${upload.id}/part-urls`, { part_numbers: missing.splice(0, BATCH) });
      const worker = async () => {
        for (let part = urls.shift(); part; part = urls.shift()) await sendPart(source, upload, part);
      };
      await Promise.all(Array.from({ length: Number(values.parallel) }, worker));
    }
  } finally {
    await source.close();
  }
}

try {
  const sha256 = await sha256Of(file);
  const upload = (await resumed(sha256)) ?? (await started(sha256));
  console.error(`upload ${upload.id}: ${upload.parts.filter((part) => part.arrived).length} parts have arrived`);
  await sendMissing(upload);
  console.log(JSON.stringify(await api('POST', `/${upload.id}/complete`), null, 2));
  await rm(note, { force: true });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
