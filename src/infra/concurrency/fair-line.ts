/** The position of a task in a line. */
export interface Place {
  /** Tasks of one lane run in order. Lanes take turns, however many tasks each of them has. */
  readonly lane: string;
  /** Shares take turns like lanes, so a share is served however many lanes another one has. Default: one share for all. */
  readonly share?: string;
}

interface Lane<T> {
  readonly share: string;
  running: number;
  readonly waiting: T[];
}

/**
 * Tasks that wait in lanes for one of several places. The next turn belongs to the share that waits longest since its last turn, and in it
 * to the waiting lane with the fewest running tasks; among equals, to the lane that waits longest since its last turn.
 */
export class FairLine<T extends Place> {
  /** Lanes with tasks, in the order of their turns. A lane moves to the end when it begins to wait, and when it starts a task. */
  private readonly lanes = new Map<string, Lane<T>>();
  /** The number of each share's last turn. */
  private readonly turns = new Map<string, number>();
  private turn = 0;

  waitingOf(place: Place): number {
    return this.lanes.get(keyOf(place))?.waiting.length ?? 0;
  }

  add(task: T): void {
    const key = keyOf(task);
    const lane = this.lanes.get(key) ?? { share: task.share ?? '', running: 0, waiting: [] };
    if (lane.waiting.length === 0) this.moveToEnd(key, lane);
    lane.waiting.push(task);
  }

  /** Removes a task that waits. */
  remove(task: T): void {
    const key = keyOf(task);
    const lane = this.lanes.get(key);
    const index = lane?.waiting.indexOf(task) ?? -1;
    if (!lane || index < 0) return;
    lane.waiting.splice(index, 1);
    this.forgetIfEmpty(key, lane);
  }

  /**
   * Takes the task whose turn is next out of the line. It counts as running until `end`. Undefined when no task may start.
   * @param mayStart decides by the task and by the number of running tasks of its lane.
   */
  start(mayStart: (task: T, running: number) => boolean): T | undefined {
    let next: { readonly key: string; readonly lane: Lane<T>; readonly task: T; readonly turn: number } | undefined;
    for (const [key, lane] of this.lanes) {
      const turn = this.turns.get(lane.share) ?? 0;
      if (next && (turn - next.turn || lane.running - next.lane.running) >= 0) continue;
      const task = lane.waiting.find((waiting) => mayStart(waiting, lane.running));
      if (task) next = { key, lane, task, turn };
    }
    if (!next) return undefined;
    const { key, lane, task } = next;
    lane.waiting.splice(lane.waiting.indexOf(task), 1);
    this.run(key, lane);
    return task;
  }

  /** Counts a task as running that does not wait. Only while no task waits that may start. */
  startNow(place: Place): void {
    const key = keyOf(place);
    this.run(key, this.lanes.get(key) ?? { share: place.share ?? '', running: 0, waiting: [] });
  }

  end(task: Place): void {
    const key = keyOf(task);
    const lane = this.lanes.get(key);
    if (!lane) return;
    lane.running -= 1;
    this.forgetIfEmpty(key, lane);
  }

  private run(key: string, lane: Lane<T>): void {
    lane.running += 1;
    this.moveToEnd(key, lane);
    this.turns.set(lane.share, ++this.turn);
  }

  private moveToEnd(key: string, lane: Lane<T>): void {
    this.lanes.delete(key);
    this.lanes.set(key, lane);
  }

  private forgetIfEmpty(key: string, { running, waiting }: Lane<T>): void {
    if (running === 0 && waiting.length === 0) this.lanes.delete(key);
  }
}

const keyOf = ({ lane, share = '' }: Place): string => `${share}|${lane}`;
