import { AppError } from '#kernel/errors/app-error';
import { FairLine, type Place } from './fair-line';

export interface SemaphoreLimits {
  /** The number of tasks that run concurrently. */
  readonly places: number;
  /** The number of tasks of one lane that run concurrently. Default: as many as there are places. */
  readonly runningPerLane?: number;
  /** Further places, for lanes without a running task: a lane that fills all places does not make the others wait. Default 0. */
  readonly reservedPlaces?: number;
  /** The number of tasks of one lane that wait; further ones are rejected. */
  readonly waitingPerLane: number;
  /** The longest time in milliseconds that a task waits for a place. */
  readonly waitMs: number;
  /** `Retry-After` of a rejected task, in seconds. */
  readonly retryAfterSeconds: number;
  /** The messages of a rejected task. */
  readonly messages: {
    readonly laneIsFull: string;
    readonly noPlaceInTime: string;
  };
}

/** The conditions under which a task waits for its place. */
export interface Turn extends Place {
  /**
   * Whether the task waits until no other task of its lane runs, even if a place is free. Such tasks may be slow, so one of several places
   * always stays free of them.
   */
  readonly alone?: boolean;
  /** Ends the waiting, with its reason as the error. It does not stop a task that runs. */
  readonly signal?: AbortSignal | undefined;
}

interface Task extends Turn {
  readonly start: () => void;
}

/**
 * Limits how many tasks run concurrently, and shares the places fairly (`FairLine`): one lane has several places only while no other lane waits.
 */
export class Semaphore {
  private readonly line = new FairLine<Task>();
  private running = 0;
  /** The running tasks that are `alone`. */
  private runningAlone = 0;

  constructor(private readonly limits: SemaphoreLimits) {}

  /** @throws AppError rate_limit_exceeded when a task of this lane would be rejected now. */
  rejectWhenFull(place: Place): void {
    if (this.running >= this.limits.places && this.line.waitingOf(place) >= this.limits.waitingPerLane)
      throw this.laneIsFull();
  }

  /**
   * Runs `work` when the task has a place, and settles with its outcome.
   * @throws AppError rate_limit_exceeded when too many tasks of the lane wait, or no place was free in time; the reason of `signal`.
   */
  async run<T>(work: () => Promise<T>, turn: Turn): Promise<T> {
    await this.enter(turn);
    try {
      return await work();
    } finally {
      this.leave(turn);
    }
  }

  private enter(turn: Turn): Promise<void> {
    const { signal } = turn;
    return new Promise<void>((resolve, reject) => {
      signal?.throwIfAborted();
      const stopWaiting = (): void => {
        clearTimeout(timeout);
        signal?.removeEventListener('abort', onAbort);
      };
      const task: Task = {
        ...turn,
        start: () => {
          stopWaiting();
          resolve();
        },
      };
      const giveUp = (reason: Error): void => {
        stopWaiting();
        this.line.remove(task);
        reject(reason);
      };
      const onAbort = (): void => giveUp(signal?.reason as Error);
      const timeout = setTimeout(
        () => giveUp(this.rejected(this.limits.messages.noPlaceInTime)),
        this.limits.waitMs,
      ).unref();
      signal?.addEventListener('abort', onAbort);
      this.line.add(task);
      this.startNext();
      if (this.line.waitingOf(task) > this.limits.waitingPerLane) giveUp(this.laneIsFull());
    });
  }

  private leave(turn: Turn): void {
    this.running -= 1;
    if (turn.alone) this.runningAlone -= 1;
    this.line.end(turn);
    this.startNext();
  }

  /** Starts tasks until no place is free or no task can start. */
  private startNext(): void {
    for (let task = this.takeNext(); task; task = this.takeNext()) {
      this.running += 1;
      if (task.alone) this.runningAlone += 1;
      task.start();
    }
  }

  private takeNext(): Task | undefined {
    const { places, reservedPlaces = 0, runningPerLane = Infinity } = this.limits;
    if (this.running >= places + reservedPlaces) return undefined;
    const mayRunAlone = this.runningAlone < Math.max(1, places - 1);
    return this.line.start(
      ({ alone }, running) =>
        running < runningPerLane &&
        (this.running < places || running === 0) &&
        (!alone || (mayRunAlone && running === 0)),
    );
  }

  private laneIsFull(): AppError {
    return this.rejected(this.limits.messages.laneIsFull);
  }

  private rejected(message: string): AppError {
    const { retryAfterSeconds } = this.limits;
    const details = { retry_after_seconds: retryAfterSeconds };
    return new AppError('rate_limit_exceeded', { message, retryAfterSeconds, details });
  }
}
