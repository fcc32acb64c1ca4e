import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ReadResult, type WorkerInput, type WorkerMessage } from './protocol';

/** The compiled worker, or its source in tests. */
const WORKER_FILE = join(__dirname, `inspection-worker${extname(__filename)}`);

/** A thread is not kept for longer than this after its last artifact. */
const IDLE_MS = 5_000;
/** A thread is replaced after this many artifacts, so that the memory that it keeps of them is bounded. */
const MAX_ARTIFACTS = 100;

interface ThreadLimits {
  readonly heapMb: number;
  readonly stackMb: number;
}

/** Receives the messages of the thread while it reads one artifact. */
interface ThreadListener {
  readonly onMessage: (message: WorkerMessage) => void;
  /** The thread has ended, with or without an error. */
  readonly onEnd: (error?: Error & { code?: string }) => void;
}

/** A worker thread that reads artifacts of one lane, one after the other. */
export class InspectionThread {
  /** Whether the thread has sent a message since it was started. */
  hasStarted = false;
  artifacts = 0;
  private readonly worker: Worker;
  private listener: ThreadListener | undefined;

  constructor(
    readonly lane: string,
    { heapMb, stackMb }: ThreadLimits,
  ) {
    this.worker = new Worker(WORKER_FILE, {
      resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb: stackMb },
      // Output about a hostile file is not logged. It is not read either: reading would keep the process alive.
      stdout: true,
      stderr: true,
    });
    this.worker.on('message', (message: WorkerMessage) => {
      this.hasStarted = true;
      this.listener?.onMessage(message);
    });
    this.worker.on('error', (error) => this.listener?.onEnd(error));
    this.worker.on('exit', () => this.listener?.onEnd());
  }

  inspect(input: WorkerInput, listener: ThreadListener): void {
    this.artifacts += 1;
    this.listener = listener;
    this.worker.ref();
    this.worker.postMessage(input);
  }

  answer(bytes: ReadResult): void {
    this.worker.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
  }

  /** Called when the artifact has been read. An idle thread does not keep the process alive. */
  rest(listener: ThreadListener): void {
    this.listener = listener;
    this.worker.unref();
  }

  async end(): Promise<void> {
    this.listener = undefined;
    await this.worker.terminate();
  }
}

interface IdleThread {
  readonly thread: InspectionThread;
  readonly timer: NodeJS.Timeout;
}

/**
 * Starts the threads of inspections. A thread that has read an artifact without an error may read the next ones of its lane, because the
 * start of a thread costs more than the inspection of a small package. Lanes never share a thread: what a hostile artifact left behind in
 * it cannot reach another organization.
 */
export class InspectionThreads {
  private idle: IdleThread[] = [];

  /** @param maxIdle the maximum number of threads without an artifact. */
  constructor(
    private readonly limits: ThreadLimits,
    private readonly maxIdle: number,
  ) {}

  take(lane: string): InspectionThread {
    const at = this.idle.findLastIndex(({ thread }) => thread.lane === lane);
    const [found] = at < 0 ? [] : this.idle.splice(at, 1);
    clearTimeout(found?.timer);
    return found?.thread ?? new InspectionThread(lane, this.limits);
  }

  /** @param isReusable whether the thread has read its artifact to the end, and accepted it. */
  async giveBack(thread: InspectionThread, isReusable: boolean): Promise<void> {
    if (!isReusable || thread.artifacts >= MAX_ARTIFACTS) return thread.end();
    const drop = (): void => this.drop(thread);
    thread.rest({ onMessage: drop, onEnd: drop });
    this.idle.push({ thread, timer: setTimeout(drop, IDLE_MS).unref() });
    const [oldest] = this.idle;
    if (oldest && this.idle.length > this.maxIdle) this.drop(oldest.thread);
  }

  private drop(thread: InspectionThread): void {
    clearTimeout(this.idle.find((idle) => idle.thread === thread)?.timer);
    this.idle = this.idle.filter((idle) => idle.thread !== thread);
    void thread.end();
  }
}
