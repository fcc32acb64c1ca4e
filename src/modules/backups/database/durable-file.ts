import { createReadStream, createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { AppError } from '#kernel/errors/app-error';
import { syncFolder } from '#infra/blob/local/local-folder';
import { Digest, digestOf, type FileDigest } from '#infra/blob/streams/digest';

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

/** A stream that passes the bytes of a backup's file on, and fails before its end when the file has another digest than the manifest says. */
export function verifying({ file, sha256 }: { readonly file: string; readonly sha256: string }): Transform {
  const digest = new Digest();
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      digest.add(chunk);
      done(null, chunk);
    },
    flush: (done) => done(digest.result().sha256 === sha256 ? null : unusableFile(file, 'damaged')),
  });
}

/** @param buildId the build whose artifact the file is. */
export function unusableFile(path: string, state: 'damaged' | 'missing', buildId?: string): AppError {
  const message = `This backup cannot be restored, because ${path} is ${state}. Restore another backup.`;
  return AppError.invalidInput(`file_${state}`, message, buildId === undefined ? {} : { build_id: buildId });
}
