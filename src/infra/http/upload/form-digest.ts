import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BlobStore } from '#infra/blob/blob-store';
import { freeChunk } from '#infra/blob/streams/block-pool';
import { type FormLimits, type ReceivedForm, receiveForm } from './receive-form';

/** SHA-256 of a form's text parts, file name and file, in lower-case hexadecimal. The order of the parts does not matter. */
export const formDigest = ({ fields, file }: ReceivedForm): string => {
  const content = [Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)), file.fileName, file.sha256];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
};

/** Reads a form to its end for its digest and discards the file. @throws AppError as `receiveForm` does. */
export async function readFormDigest(
  request: IncomingMessage,
  response: ServerResponse,
  limits: FormLimits,
): Promise<string> {
  const open = () => Promise.resolve({ store: DISCARD, key: '' });
  return formDigest(await receiveForm(request, response, { ...limits, open }));
}

/** A store that counts the bytes and keeps none. */
const DISCARD: Pick<BlobStore, 'write' | 'delete'> = {
  async write(_key, source, { onChunk, freesChunks, signal } = {}) {
    let sizeBytes = 0;
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        sizeBytes += chunk.length;
        try {
          onChunk?.(chunk);
          if (freesChunks) freeChunk(chunk);
          done();
        } catch (error) {
          done(error as Error);
        }
      },
    });
    await pipeline(source, sink, { signal });
    return { sizeBytes };
  },
  delete: () => Promise.resolve(),
};
