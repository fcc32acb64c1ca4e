import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#kernel/errors/app-error';
import { readArtifact } from '../reader/artifact-reader';
import { type ArtifactSource } from '../artifact-source';
import { inspectionError } from '../inspection-errors';
import { type Answer, type Assignment, type WorkerMessage } from './protocol';

/** The artifact as seen from the worker: every range is asked from the thread that owns the source. */
class PortSource implements ArtifactSource {
  constructor(
    private readonly port: MessagePort,
    readonly sizeBytes: number,
  ) {}

  async read(offset: number, length: number): Promise<Buffer> {
    const asked: WorkerMessage = { type: 'read', offset, length };
    this.port.postMessage(asked);
    const [bytes] = (await once(this.port, 'message')) as [Answer];
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

async function inspect(port: MessagePort, { fileName, sizeBytes }: Assignment): Promise<WorkerMessage> {
  try {
    return { type: 'inspected', artifact: await readArtifact(new PortSource(port, sizeBytes), fileName) };
  } catch (error) {
    const { message, details } = error instanceof AppError ? error : inspectionError('unreadable');
    return { type: 'refused', message, details };
  }
}

/** Entry of the worker thread: inspects the one artifact it was started for, says what it found, and ends. */
const port = parentPort;
if (port)
  void inspect(port, workerData as Assignment)
    .then((message) => port.postMessage(message))
    .finally(() => port.close());
