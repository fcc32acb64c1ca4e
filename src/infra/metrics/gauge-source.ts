import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '#kernel/context/clock';
import { SingleFlightCache } from '#kernel/single-flight-cache';
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
  private readonly reading: SingleFlightCache<readonly Sample[] | null>;

  constructor(
    /** What it may fill. */
    readonly gauges: readonly GaugeName[],
    private readonly read: () => Promise<readonly Sample[]>,
    private readonly onFailure: () => void,
    clock: Clock,
    private readonly limits: SourceLimits = SOURCE_LIMITS,
  ) {
    this.reading = new SingleFlightCache(() => this.readOnce(), limits.freshMs, clock);
  }

  /** What was read now or a moment ago; null when it failed, or is not to be had in time. */
  async samples(): Promise<readonly Sample[] | null> {
    const timer = new AbortController();
    const late = sleep(this.limits.timeoutMs, LATE, { signal: timer.signal }).catch((): typeof LATE => LATE);
    const outcome = await Promise.race([this.reading.value(), late]);
    timer.abort();
    if (outcome !== LATE) return outcome;
    this.onFailure();
    return null;
  }

  private async readOnce(): Promise<readonly Sample[] | null> {
    try {
      return await this.read();
    } catch {
      this.onFailure();
      return null;
    }
  }
}
