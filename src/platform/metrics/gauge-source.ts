import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '#kernel/time/clock';
import { type GaugeName, type LabelsOf } from './metric-catalogue';

/** A value of a gauge at some moment. */
export interface Sample {
  readonly gauge: GaugeName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export const sample = <Name extends GaugeName>(gauge: Name, value: number, labels: LabelsOf<Name>): Sample => ({
  gauge,
  labels,
  value,
});

export interface SourceLimits {
  /** How long a reading is good for, so that those who scrape much ask the database no more than one. */
  readonly freshMs: number;
  /** How long a scrape waits. */
  readonly timeoutMs: number;
}

export const SOURCE_LIMITS: SourceLimits = { freshMs: 5_000, timeoutMs: 2_000 };

const LATE = Symbol('late');

/** Gauges that are read when somebody asks; whoever asks meanwhile waits for the same reading. */
export class GaugeSource {
  private readAt = Number.NEGATIVE_INFINITY;
  private last: readonly Sample[] | null = null;
  private reading: Promise<void> | undefined;

  constructor(
    /** What it may fill. */
    readonly gauges: readonly GaugeName[],
    private readonly read: () => Promise<readonly Sample[]>,
    private readonly onFailure: () => void,
    private readonly clock: Clock,
    private readonly limits: SourceLimits = SOURCE_LIMITS,
  ) {}

  /** What was read now or a moment ago; null when it failed, or is not to be had in time. */
  async samples(): Promise<readonly Sample[] | null> {
    const isFresh = this.clock.now().getTime() - this.readAt < this.limits.freshMs;
    if (isFresh && !this.reading) return this.last;
    this.reading ??= this.readOnce();
    const timer = new AbortController();
    const late = sleep(this.limits.timeoutMs, LATE, { signal: timer.signal }).catch(() => LATE);
    const outcome = await Promise.race([this.reading, late]);
    timer.abort();
    if (outcome !== LATE) return this.last;
    this.onFailure();
    return null;
  }

  private async readOnce(): Promise<void> {
    try {
      this.last = await this.read();
    } catch {
      this.last = null;
      this.onFailure();
    } finally {
      this.readAt = this.clock.now().getTime();
      this.reading = undefined;
    }
  }
}
