import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock } from '#kernel/context/clock';
import { SingleFlightCache } from '#kernel/single-flight-cache';
import { type GaugeName, type LabelsOf } from './metric-catalogue';

/** One value of a gauge. */
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
  /** The time for which a reading is reused, so that many scrapes cost one query. */
  readonly freshMs: number;
  /** The maximum time for which a scrape waits for a reading. */
  readonly timeoutMs: number;
}

const SOURCE_LIMITS: SourceLimits = { freshMs: 5_000, timeoutMs: 2_000 };

const LATE = Symbol('late');

/** Gauges that are read during a scrape. Concurrent scrapes share one reading. */
export class GaugeSource {
  private readonly reading: SingleFlightCache<readonly Sample[] | null>;

  constructor(
    /** The gauges that `read` fills. */
    readonly gauges: readonly GaugeName[],
    private readonly read: () => Promise<readonly Sample[]>,
    private readonly onFailure: () => void,
    clock: Clock,
    private readonly limits: SourceLimits = SOURCE_LIMITS,
  ) {
    this.reading = new SingleFlightCache(() => this.readOnce(), limits.freshMs, clock);
  }

  /** The current or a recent reading; null when reading failed or timed out. */
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
