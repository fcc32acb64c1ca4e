import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BlobStore } from '#infra/blob/blob-store';
import { receiveArtifact, type ReceivedArtifact } from './receive-artifact';

/** What a form with an artifact asks, in lower-case hexadecimal: the same however its bytes are cut into parts and chunks. */
export const artifactDigest = ({ fields, file }: ReceivedArtifact): string => {
  const asked = [Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)), file.fileName, file.sha256];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
};

/** Reads such a form to know what it asks, and keeps nothing of it. @throws AppError as `receiveArtifact` does. */
export async function readArtifactDigest(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<string> {
  const open = () => Promise.resolve({ store: NOWHERE, key: '' });
  return artifactDigest(await receiveArtifact(request, response, { maxBytes, open }));
}

const NOWHERE: Pick<BlobStore, 'write' | 'delete'> = {
  async write(_key, source, { onChunk, signal } = {}) {
    let sizeBytes = 0;
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        sizeBytes += chunk.length;
        try {
          onChunk?.(chunk);
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
