import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Digest, digestOf, type FileDigest } from '#infra/blob/streams/digest';
import { syncFolder } from '#infra/blob/local/local-folder';

/** Writes a stream into a new gzip file, and resolves when the file is on disk. */
export async function writeZipped(path: string, source: Readable): Promise<FileDigest> {
  const digest = new Digest();
  await pipeline(source, createGzip(), digest.stream, createWriteStream(path, { flush: true }));
  return digest.result();
}

/** Replaces a text file atomically. */
export async function replaceText(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  await pipeline(Readable.from([text]), createWriteStream(draft, { flush: true }));
  await rename(draft, path);
  await syncFolder(dirname(path));
}

export async function digestOfFile(path: string): Promise<FileDigest> {
  return digestOf(createReadStream(path));
}
