/** The position of a task in a line. */
export interface Place {
  /** Tasks of one lane start in order, except those that may not start yet. Lanes take turns, however many tasks each of them has. */
  readonly lane: string;
  /** Shares take turns like lanes, so a share is served however many lanes another one has. Default: one share for all. */
  readonly share?: string;
}

interface Lane<T> {
  running: number;
  readonly waiting: T[];
}

/** The lanes of a share that have tasks. A lane moves to the end when it begins to wait, and when it starts a task. */
type Lanes<T> = Map<string, Lane<T>>;

/**
 * Tasks that wait in lanes for one of several places. The next turn belongs to the share that waits longest since its last turn, and in it
 * to the waiting lane with the fewest running tasks; among equals, to the lane that waits longest since its last turn.
 */
export class FairLine<T extends Place> {
  /** In the order of their last turns. */
  private shares = new Map<string, Lanes<T>>();

  waitingOf({ share = '', lane }: Place): number {
    return this.shares.get(share)?.get(lane)?.waiting.length ?? 0;
  }

  add(task: T): void {
    const lanes = this.lanesOf(task);
    const lane = lanes.get(task.lane) ?? { running: 0, waiting: [] };
    if (lane.waiting.length === 0) moveToEnd(lanes, task.lane, lane);
    lane.waiting.push(task);
  }

  /** Removes a task that waits. */
  remove(task: T): void {
    const lanes = this.lanesOf(task);
    const lane = lanes.get(task.lane);
    const index = lane?.waiting.indexOf(task) ?? -1;
    if (!lane || index < 0) return;
    lane.waiting.splice(index, 1);
    forgetIfEmpty(lanes, task.lane, lane);
  }

  /**
   * Takes the task whose turn is next out of the line. It counts as running until `end`. Undefined when no task may start.
   * @param mayStart decides by the task and by the number of running tasks of its lane.
   */
  start(mayStart: (task: T, running: number) => boolean): T | undefined {
    for (const lanes of this.shares.values()) {
      const next = nextOf(lanes, mayStart);
      if (!next) continue;
      const { lane, task } = next;
      lane.waiting.splice(lane.waiting.indexOf(task), 1);
      this.run(task, lane);
      return task;
    }
    return undefined;
  }

  /** Counts a task as running that does not wait. Only while no task waits that may start. */
  startNow(place: Place): void {
    this.run(place, this.lanesOf(place).get(place.lane) ?? { running: 0, waiting: [] });
  }

  end(place: Place): void {
    const lanes = this.lanesOf(place);
    const lane = lanes.get(place.lane);
    if (!lane) return;
    lane.running -= 1;
    forgetIfEmpty(lanes, place.lane, lane);
  }

  /** A share that had no turn yet comes first. */
  private lanesOf({ share = '' }: Place): Lanes<T> {
    const known = this.shares.get(share);
    if (known) return known;
    const lanes: Lanes<T> = new Map();
    this.shares = new Map([[share, lanes], ...this.shares]);
    return lanes;
  }

  private run(place: Place, lane: Lane<T>): void {
    const lanes = this.lanesOf(place);
    lane.running += 1;
    moveToEnd(lanes, place.lane, lane);
    moveToEnd(this.shares, place.share ?? '', lanes);
  }
}

/** Ends at the first lane that nothing precedes, so that it does not read all lanes of a crowd. */
function nextOf<T>(
  lanes: Lanes<T>,
  mayStart: (task: T, running: number) => boolean,
): { readonly lane: Lane<T>; readonly task: T } | undefined {
  let next: { readonly lane: Lane<T>; readonly task: T } | undefined;
  for (const lane of lanes.values()) {
    if (next && lane.running >= next.lane.running) continue;
    const task = lane.waiting.find((waiting) => mayStart(waiting, lane.running));
    if (task) next = { lane, task };
    if (next?.lane.running === 0) break;
  }
  return next;
}

function moveToEnd<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}

function forgetIfEmpty<T>(lanes: Lanes<T>, key: string, { running, waiting }: Lane<T>): void {
  if (running === 0 && waiting.length === 0) lanes.delete(key);
}
