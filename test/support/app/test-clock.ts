import { Client } from 'pg';
import { periodOf } from '#kernel/billing/period';
import { Clock } from '#kernel/context/clock';
import { type ClockGuardService } from '#infra/clock/clock-guard.service';

/** For a job queue without an application: schedules always run. */
export const TRUSTED_CLOCK = { mayRun: () => Promise.resolve(true) } as unknown as ClockGuardService;

const HOUR_MS = 3_600_000;

interface Step {
  readonly days?: number;
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

/** The system clock with an offset, which also applies to `app_now()` of the test's database. */
export class TestClock extends Clock {
  private offsetMs = 0;
  private databaseAheadMs = 0;

  constructor(private readonly databaseUrl: string) {
    super();
  }

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  /** Lets time pass, as if sweeps had run all the time. */
  async advance(step: Step): Promise<void> {
    this.offsetMs += millisecondsOf(step);
    await this.moveDatabase(`UPDATE clock_mark SET seen_at = app_now()`);
  }

  /** Lets time pass until the fifth of the coming month, so that the days that a test then lets pass are in one month. */
  async advanceToFifth(): Promise<void> {
    const fifth = periodOf(this.now()).end.getTime() + 4 * 24 * HOUR_MS;
    await this.advance({ seconds: Math.ceil((fifth - this.now().getTime()) / 1000) });
  }

  /** Sets both clocks ahead in one step, as a wrong time server or a long outage does: no sweep has run since. */
  async jump(step: Step): Promise<void> {
    this.offsetMs += millisecondsOf(step);
    await this.moveDatabase();
  }

  /** Sets only the database's clock, ahead of this process's clock by `step`. A step of zero corrects it again. */
  async skewDatabase(step: Step): Promise<void> {
    this.databaseAheadMs = millisecondsOf(step);
    await this.moveDatabase();
  }

  private async moveDatabase(then = ''): Promise<void> {
    const client = new Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      await client.query(`CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
        AS $$ SELECT clock_timestamp() + interval '${this.offsetMs + this.databaseAheadMs} milliseconds' $$; ${then}`);
    } finally {
      await client.end();
    }
  }
}

const millisecondsOf = ({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Step): number =>
  (days * 24 + hours) * HOUR_MS + minutes * 60_000 + seconds * 1000;
