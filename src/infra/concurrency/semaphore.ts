import { AppError } from '#kernel/errors/app-error';

export interface SemaphoreLimits {
  /** The number of tasks that run at once. */
  readonly places: number;
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
export interface Turn {
  /** Tasks of one lane run in order. Lanes take turns, however many tasks each of them has. */
  readonly lane: string;
  /** Shares take turns like lanes, so a share is served however many lanes another one has. Default: one share for all. */
  readonly share?: string;
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

interface Lane {
  readonly share: string;
  running: number;
  readonly waiting: Task[];
}

/**
 * Limits how many tasks run at once, and shares the places fairly: a free place goes to the share that waits longest since its last turn,
 * and in it to the waiting lane with the fewest running tasks; among equals, to the lane that waits longest since its last turn. So one
 * lane has several places only while no other lane waits.
 */
export class Semaphore {
  /** Lanes with tasks, in the order of their turns. A lane moves to the end when it begins to wait, and when it starts a task. */
  private readonly lanes = new Map<string, Lane>();
  /** Shares in the order of their last turns. */
  private readonly shares = new Set<string>();
  private running = 0;
  /** The running tasks that are `alone`. */
  private runningAlone = 0;

  constructor(private readonly limits: SemaphoreLimits) {}

  /** @throws AppError rate_limit_exceeded when a task of this lane would be rejected now. */
  rejectWhenFull({ lane, share = '' }: Pick<Turn, 'lane' | 'share'>): void {
    const waiting = this.lanes.get(keyOf(share, lane))?.waiting.length ?? 0;
    if (this.running >= this.limits.places && waiting >= this.limits.waitingPerLane) throw this.laneIsFull();
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
        this.remove(task);
        reject(reason);
      };
      const onAbort = (): void => giveUp(signal?.reason as Error);
      const timeout = setTimeout(
        () => giveUp(this.rejected(this.limits.messages.noPlaceInTime)),
        this.limits.waitMs,
      ).unref();
      signal?.addEventListener('abort', onAbort);
      if (this.add(task) > this.limits.waitingPerLane) giveUp(this.laneIsFull());
    });
  }

  /** Starts the task if it can start now. Returns the number of waiting tasks of its lane. */
  private add(task: Task): number {
    const { share = '' } = task;
    const key = keyOf(share, task.lane);
    const lane = this.lanes.get(key) ?? { share, running: 0, waiting: [] };
    if (lane.waiting.length === 0) this.moveToEnd(key, lane);
    lane.waiting.push(task);
    this.startNext();
    return lane.waiting.length;
  }

  private remove(task: Task): void {
    const key = keyOf(task.share ?? '', task.lane);
    const lane = this.lanes.get(key);
    if (!lane) return;
    lane.waiting.splice(lane.waiting.indexOf(task), 1);
    this.forgetIfEmpty(key, lane);
  }

  private leave({ lane: name, share = '', alone }: Turn): void {
    const key = keyOf(share, name);
    const lane = this.lanes.get(key);
    this.running -= 1;
    if (alone) this.runningAlone -= 1;
    if (lane) {
      lane.running -= 1;
      this.forgetIfEmpty(key, lane);
    }
    this.startNext();
  }

  private moveToEnd(name: string, lane: Lane): void {
    this.lanes.delete(name);
    this.lanes.set(name, lane);
  }

  private forgetIfEmpty(name: string, { running, waiting }: Lane): void {
    if (running === 0 && waiting.length === 0) this.lanes.delete(name);
  }

  /** Starts tasks until no place is free or no task can start. */
  private startNext(): void {
    const { places, reservedPlaces = 0 } = this.limits;
    if (this.running >= places + reservedPlaces) return;
    const mayRunAlone = this.runningAlone < Math.max(1, places - 1);
    const startable = [...this.lanes].filter(
      ([, lane]) => nextOf(lane, mayRunAlone) !== undefined && (this.running < places || lane.running === 0),
    );
    const turnOf = new Map([...this.shares].map((share, index) => [share, index]));
    const [next] = startable.sort(
      ([, a], [, b]) => (turnOf.get(a.share) ?? -1) - (turnOf.get(b.share) ?? -1) || a.running - b.running,
    );
    if (!next) return;
    const [key, lane] = next;
    const task = nextOf(lane, mayRunAlone)!;
    lane.waiting.splice(lane.waiting.indexOf(task), 1);
    lane.running += 1;
    this.running += 1;
    if (task.alone) this.runningAlone += 1;
    this.moveToEnd(key, lane);
    this.shares.delete(lane.share);
    this.shares.add(lane.share);
    task.start();
    this.startNext();
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

const keyOf = (share: string, lane: string): string => `${share}|${lane}`;

/** The first task of the lane that may start beside its running tasks. */
const nextOf = ({ running, waiting }: Lane, mayRunAlone: boolean): Task | undefined =>
  waiting.find((task) => !task.alone || (mayRunAlone && running === 0));
