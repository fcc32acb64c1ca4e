import { once } from 'node:events';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { AppError } from '#kernel/errors/app-error';
import { type ArtifactSource } from '../artifact-source';
import { inspectionError } from '../inspection-errors';
import { readArtifact } from '../reader/artifact-reader';
import { ContentChunks } from '../received-hashes';
import { type ReadResult, type WorkerInput, type WorkerMessage } from './protocol';

/** The artifact inside the worker: every read is a request to the main thread, which owns the source. */
class PortSource implements ArtifactSource {
  constructor(
    private readonly port: MessagePort,
    readonly sizeBytes: number,
    readonly chunks: ContentChunks | undefined,
  ) {}

  async read(offset: number, length: number): Promise<Buffer> {
    const request: WorkerMessage = { type: 'read', offset, length };
    this.port.postMessage(request);
    const [bytes] = (await once(this.port, 'message')) as [ReadResult];
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

async function inspect(port: MessagePort, { fileName, sizeBytes, chunkDigests }: WorkerInput): Promise<WorkerMessage> {
  try {
    const chunks = chunkDigests && new ContentChunks(chunkDigests);
    return { type: 'inspected', artifact: await readArtifact(new PortSource(port, sizeBytes, chunks), fileName) };
  } catch (error) {
    const { message, details } = error instanceof AppError ? error : inspectionError('unreadable');
    return { type: 'rejected', message, details };
  }
}

/** The entry of the worker thread: inspects one artifact after the other, until the main thread ends it. */
async function serve(port: MessagePort): Promise<never> {
  for (;;) {
    const [input] = (await once(port, 'message')) as [WorkerInput];
    port.postMessage(await inspect(port, input));
  }
}

if (parentPort) void serve(parentPort);
