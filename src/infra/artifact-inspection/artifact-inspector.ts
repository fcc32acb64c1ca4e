import { availableParallelism } from 'node:os';
import { AppError } from '#kernel/errors/app-error';
import { storeUnavailable } from '#infra/blob/store-errors';
import { Semaphore, type Turn } from '#infra/concurrency/semaphore';
import { TICK_MS } from '#infra/concurrency/ticks';
import { type ArtifactSource } from './artifact-source';
import { type InspectedArtifact } from './inspected-artifact';
import { inspectionError } from './inspection-errors';
import { isParsed, isPlainZip, otherFile, readArtifact } from './reader/artifact-reader';
import { type InspectionThread, InspectionThreads } from './worker/inspection-threads';
import { type WorkerMessage } from './worker/protocol';

/** The resources of inspections. Buffers are not part of a worker's heap; `LIMITS` bounds them. */
export interface WorkerLimits {
  /** The maximum number of workers; further inspections wait. */
  readonly concurrency: number;
  /** Additional workers, for lanes without a worker. */
  readonly reserved: number;
  /** The number of inspections of one lane that wait; further ones are rejected. */
  readonly waitingPerLane: number;
  /** The longest time in milliseconds that an inspection waits for a worker. */
  readonly waitMs: number;
  /** Timeout of the worker's own work in milliseconds, without its start, waiting for the store and stalls of the machine. */
  readonly workMs: number;
  /** Timeout of the whole inspection in milliseconds, most of which is waiting for the store. */
  readonly totalMs: number;
  readonly heapMb: number;
  readonly stackMb: number;
}

const WORKER_LIMITS: WorkerLimits = {
  // One core stays free for requests and for the reserved worker.
  concurrency: Math.min(2, Math.max(1, availableParallelism() - 1)),
  reserved: 1,
  waitingPerLane: 32,
  waitMs: 60_000,
  workMs: 5_000,
  totalMs: 60_000,
  heapMb: 128,
  stackMb: 4,
};

const REJECTED = {
  retryAfterSeconds: 10,
  messages: {
    laneIsFull:
      'Too many uploads of this organization wait to be read. Wait for the seconds in Retry-After, then retry.',
    noPlaceInTime: 'The service reads too many uploads at the moment. Wait for the seconds in Retry-After, then retry.',
  },
};

/**
 * Reads the metadata of uploaded artifacts in worker threads with limited memory and time, one artifact at a time in each, so a hostile
 * file can hang, crash or bloat only its thread (docs/decisions/0010-contained-inspection.md).
 */
export class ArtifactInspector {
  private readonly limits: WorkerLimits;
  private readonly semaphore: Semaphore;
  private readonly threads: InspectionThreads;

  constructor(limits: Partial<WorkerLimits> = {}) {
    this.limits = { ...WORKER_LIMITS, ...limits };
    const { concurrency, reserved, waitingPerLane, waitMs } = this.limits;
    const places = { places: concurrency, reservedPlaces: reserved };
    this.semaphore = new Semaphore({ ...places, waitingPerLane, waitMs, ...REJECTED });
    this.threads = new InspectionThreads(this.limits, concurrency + reserved);
  }

  /**
   * Reads the metadata of one artifact.
   * @param turn how the inspection waits for a worker. Lanes share the workers fairly; use one per organization.
   * @throws AppError invalid_input with a reason of `INSPECTION_ERRORS` when the file is corrupt, hostile, or not what its name claims.
   * @throws AppError rate_limit_exceeded when too many inspections of the lane wait, or no worker was free in time.
   * @throws AppError storage_backend_unavailable when reading the store takes too long. Errors of `source` are rethrown unchanged.
   */
  async inspect(source: ArtifactSource, fileName: string, turn: Turn): Promise<InspectedArtifact> {
    if (source.sizeBytes === 0 || !isParsed(fileName)) return readArtifact(source, fileName);
    const inspected = this.semaphore.run(() => this.inspectInThread(source, fileName, turn.lane), turn);
    return isPlainZip(fileName) ? inspected.catch((error: unknown) => otherUnlessFailed(error, fileName)) : inspected;
  }

  private async inspectInThread(source: ArtifactSource, fileName: string, lane: string): Promise<InspectedArtifact> {
    const thread = this.threads.take(lane);
    const outcome = await new Inspection(thread, source, this.limits).run(fileName);
    const isRejected = outcome instanceof Error;
    await this.threads.giveBack(thread, !isRejected);
    if (isRejected) throw outcome;
    return outcome;
  }
}

/** An inspection ends after this many times its work time, even if stalls were a part of it: hostile files cause stalls, too. */
const MOST_WORK_TIMES = 4;

/** The inspection of one artifact by one thread. */
class Inspection {
  private readonly reading = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private workedMs = 0;
  private startedAt = 0;
  private tickMs = 0;
  private elapsedMs = 0;
  private finish: (outcome: InspectedArtifact | Error) => void = () => undefined;

  constructor(
    private readonly thread: InspectionThread,
    private readonly source: ArtifactSource,
    private readonly limits: WorkerLimits,
  ) {}

  /** Resolves with the first outcome. */
  async run(fileName: string): Promise<InspectedArtifact | Error> {
    const timeout = setTimeout(() => this.finish(storageTooSlow()), this.limits.totalMs);
    const { sizeBytes, chunks } = this.source;
    const outcome = await new Promise<InspectedArtifact | Error>((resolve) => {
      this.finish = resolve;
      // On a busy machine a thread may take seconds to start, which is no fault of the file.
      if (this.thread.hasStarted) this.startClock();
      this.thread.inspect(
        { fileName, sizeBytes, chunkDigests: chunks?.digests },
        { onMessage: (message) => void this.handle(message), onEnd: (error) => resolve(this.failure(error)) },
      );
    });
    clearTimeout(timeout);
    this.stopClock();
    this.reading.abort();
    return outcome;
  }

  private async handle(message: WorkerMessage): Promise<void> {
    this.stopClock();
    if (message.type === 'inspected') return this.finish(withOwnIcon(message.artifact));
    if (message.type === 'rejected') {
      return this.finish(new AppError('invalid_input', { message: message.message, details: message.details }));
    }
    try {
      const bytes = await this.source.read(message.offset, message.length, this.reading.signal);
      this.reading.signal.throwIfAborted();
      const copy = Uint8Array.from(bytes);
      this.startClock();
      this.thread.answer(copy);
    } catch (error) {
      this.finish(error instanceof Error ? error : new AppError('storage_backend_unavailable', { cause: error }));
    }
  }

  /** The work is counted in ticks, so that a stall of the process or the machine counts as one tick. */
  private startClock(): void {
    this.startedAt = performance.now();
    this.tickMs = Math.max(0, Math.min(TICK_MS, this.limits.workMs - this.workedMs));
    this.timer = setTimeout(() => {
      this.stopClock();
      if (this.workedMs >= this.limits.workMs || this.elapsedMs >= MOST_WORK_TIMES * this.limits.workMs)
        this.finish(inspectionError('too_complex'));
      else this.startClock();
    }, this.tickMs);
  }

  private stopClock(): void {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    const elapsedMs = performance.now() - this.startedAt;
    this.elapsedMs += elapsedMs;
    this.workedMs += Math.min(elapsedMs, this.tickMs);
  }

  /** A thread that fails before its first message is a bug of this service; later, the file is the cause. */
  private failure(cause?: Error & { code?: string }): AppError {
    if (!this.thread.hasStarted) return new AppError('internal_error', { cause });
    return inspectionError(cause?.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too_complex' : 'unreadable', undefined, cause);
  }
}

/** A plain archive that could not be inspected counts as any other file. */
function otherUnlessFailed(error: unknown, fileName: string): InspectedArtifact {
  const isUninspected = error instanceof AppError && UNINSPECTED.includes(error.errorCase);
  if (isUninspected && error.details['reason'] !== 'upload_aborted') return otherFile(fileName);
  throw error;
}

/** Errors of the file, and of waiting for a worker. */
const UNINSPECTED: readonly string[] = ['invalid_input', 'rate_limit_exceeded'];

const storageTooSlow = (): AppError =>
  storeUnavailable(
    { code: 'ETIMEDOUT', status: undefined, message: 'Reading an artifact from the store took too long' },
    {},
  );

/** Copies the icon: after the transfer between threads, its buffer may be a view of a larger one. */
function withOwnIcon(artifact: InspectedArtifact): InspectedArtifact {
  if (artifact.icon === null) return artifact;
  return { ...artifact, icon: { ...artifact.icon, bytes: Buffer.from(artifact.icon.bytes) } };
}
