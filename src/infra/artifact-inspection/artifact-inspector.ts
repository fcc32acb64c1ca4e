import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '#kernel/errors/app-error';
import { storeUnavailable } from '#infra/blob/store-errors';
import { isParsed, readArtifact } from './reader/artifact-reader';
import { type ArtifactSource } from './artifact-source';
import { type InspectedArtifact } from './inspected-artifact';
import { inspectionError } from './inspection-errors';
import { Semaphore } from './worker/semaphore';
import { type Answer, type Assignment, type WorkerMessage } from './worker/protocol';

/** The worker is this file's neighbour, compiled or not. */
const WORKER_FILE = join(__dirname, 'worker', `inspection-worker${extname(__filename)}`);

/** What one inspection may use. Buffers lie outside the worker's heap; `LIMITS` bounds those. */
export interface Containment {
  /** Workers at once; further inspections wait. */
  readonly concurrency: number;
  /** The worker's own time in milliseconds: waiting for the storage does not count. */
  readonly workMs: number;
  /** All the time in milliseconds, which is mostly spent waiting for the storage. */
  readonly totalMs: number;
  readonly heapMb: number;
  readonly stackMb: number;
}

const CONTAINMENT: Containment = { concurrency: 2, workMs: 5_000, totalMs: 60_000, heapMb: 128, stackMb: 4 };

/**
 * Tells what an uploaded artifact says about itself. Each is read in a thread of its own, with little memory and little time,
 * which ends with it: a hostile file can hang, crash or bloat that thread and nothing else (domain rules §4.6).
 */
export class ArtifactInspector {
  private readonly containment: Containment;
  private readonly turnstile: Semaphore;

  constructor(containment: Partial<Containment> = {}) {
    this.containment = { ...CONTAINMENT, ...containment };
    this.turnstile = new Semaphore(this.containment.concurrency);
  }

  /**
   * Rejects with `invalid_input` and `details.reason` (one of `INSPECTION_ERRORS`) for a corrupt or hostile file or one that is not
   * what its name claims, with the source's own error when the storage fails, and with `storage_backend_unavailable` when it takes
   * too long.
   * @param lane of which one at a time is read: of what lies in a store that may be slow on purpose.
   */
  async inspect(source: ArtifactSource, fileName: string, lane?: string): Promise<InspectedArtifact> {
    if (source.sizeBytes === 0 || !isParsed(fileName)) return readArtifact(source, fileName);
    return this.turnstile.pass(() => new Inspection(source, fileName, this.containment).run(), lane);
  }
}

/** One artifact and the worker that reads it. */
class Inspection {
  private readonly worker: Worker;
  private readonly reading = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private workedMs = 0;
  private startedAt = 0;
  private heard = false;
  private finish: (outcome: InspectedArtifact | Error) => void = () => undefined;

  constructor(
    private readonly source: ArtifactSource,
    fileName: string,
    private readonly containment: Containment,
  ) {
    const assignment: Assignment = { fileName, sizeBytes: source.sizeBytes };
    this.worker = new Worker(WORKER_FILE, {
      workerData: assignment,
      resourceLimits: { maxOldGenerationSizeMb: containment.heapMb, stackSizeMb: containment.stackMb },
      // Libraries in there complain about hostile files on the console; nobody wants to read that.
      stdout: true,
      stderr: true,
    });
  }

  /** Settles once, with whatever happens first, and leaves no thread behind. */
  async run(): Promise<InspectedArtifact> {
    const end = setTimeout(() => this.finish(storageTooSlow()), this.containment.totalMs);
    const outcome = await new Promise<InspectedArtifact | Error>((resolve) => {
      this.finish = resolve;
      this.worker.stdout.resume();
      this.worker.stderr.resume();
      this.worker.on('message', (message: WorkerMessage) => void this.hear(message));
      this.worker.on('error', (error) => resolve(this.failure(error)));
      this.worker.on('exit', () => resolve(this.failure()));
      this.startClock();
    });
    clearTimeout(end);
    this.stopClock();
    this.reading.abort();
    await this.worker.terminate();
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  private async hear(message: WorkerMessage): Promise<void> {
    this.heard = true;
    this.stopClock();
    if (message.type === 'inspected') return this.finish(withOwnIcon(message.artifact));
    if (message.type === 'refused') {
      return this.finish(new AppError('invalid_input', { message: message.message, details: message.details }));
    }
    try {
      const bytes = await this.source.read(message.offset, message.length, this.reading.signal);
      this.reading.signal.throwIfAborted();
      const answer: Answer = Uint8Array.from(bytes);
      this.startClock();
      this.worker.postMessage(answer, [answer.buffer as ArrayBuffer]);
    } catch (error) {
      this.finish(error instanceof Error ? error : new AppError('storage_backend_unavailable', { cause: error }));
    }
  }

  private startClock(): void {
    this.startedAt = performance.now();
    const leftMs = Math.max(0, this.containment.workMs - this.workedMs);
    this.timer = setTimeout(() => this.finish(inspectionError('too_complex')), leftMs);
  }

  private stopClock(): void {
    clearTimeout(this.timer);
    this.workedMs += performance.now() - this.startedAt;
    this.startedAt = performance.now();
  }

  /** A worker that dies before its first word is our fault; later, it is the file's. */
  private failure(cause?: Error & { code?: string }): AppError {
    if (!this.heard) return new AppError('internal_error', { cause });
    return inspectionError(cause?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_complex' : 'unreadable', undefined, cause);
  }
}

const storageTooSlow = (): AppError =>
  storeUnavailable({ code: 'ETIMEDOUT', status: undefined, message: 'An artifact took too long to be read' }, {});

/** Between threads a Buffer turns into a view on a larger one; this is the icon and nothing else. */
function withOwnIcon(artifact: InspectedArtifact): InspectedArtifact {
  if (artifact.icon === null) return artifact;
  return { ...artifact, icon: { ...artifact.icon, bytes: Buffer.from(artifact.icon.bytes) } };
}
