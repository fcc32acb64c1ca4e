import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '#kernel/context/clock';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Logger } from '#infra/logging/logger';
import { sample } from '#infra/metrics/gauge-source';
import { Metrics } from '#infra/metrics/metrics';
import { ClockMarkRepository } from './clock-mark.repository';

const HOUR_MS = 3_600_000;
/** `billing_now()` and the SQL of the repository contain this number, too. */
const MAX_AHEAD_MS = 48 * HOUR_MS;
/** A larger difference means that a machine's clock is wrong. */
export const MAX_SKEW_MS = 30_000;

const HELD =
  'The clock is more than two days ahead of the last sweep. Nothing is closed, charged or pruned until an operator runs "clock confirm"';

/** The clocks of this process and of the database, compared with each other and with the last sweep. */
export interface ClockReading {
  readonly processTime: Date;
  readonly databaseTime: Date;
  /** The number of milliseconds by which the database's clock is ahead of the process's; negative when it is behind. */
  readonly skewMs: number;
  /** The highest time that a sweep has seen, by the database's clock. Null until a worker has started. */
  readonly seenAt: Date | null;
  /** True when one of the clocks is more than two days ahead of `seenAt`: periodic work is held until an operator confirms the time. */
  readonly isHeld: boolean;
}

/**
 * Detects clocks that jump. Closing months, charging and pruning cannot be undone, so one wrong clock could spend all money and delete
 * records that must be kept for a year (docs/decisions/0035-clock-guard.md).
 */
@Injectable()
export class ClockGuardService implements OnModuleInit {
  private readonly lastReports = new Map<string, number>();

  constructor(
    private readonly marks: ClockMarkRepository,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.metrics.watch({
      source: 'clock',
      gauges: ['agate_clock_skew_seconds', 'agate_clock_held'],
      read: async (ctx) => {
        const { skewMs, isHeld } = await this.read(ctx);
        return [sample('agate_clock_skew_seconds', skewMs / 1000, {}), sample('agate_clock_held', Number(isHeld), {})];
      },
    });
  }

  async read(ctx: RequestContext): Promise<ClockReading> {
    const before = this.clock.now().getTime();
    const { now: databaseTime, seenAt } = await this.marks.read(ctx);
    const after = this.clock.now().getTime();
    // The database read its clock at some time between these two.
    const processTime = new Date(Math.min(Math.max(databaseTime.getTime(), before), after));
    const latest = Math.max(databaseTime.getTime(), processTime.getTime());
    return {
      processTime,
      databaseTime,
      skewMs: databaseTime.getTime() - processTime.getTime(),
      seenAt,
      isHeld: seenAt !== null && latest > seenAt.getTime() + MAX_AHEAD_MS,
    };
  }

  /**
   * Whether work that closes, charges or prunes by time may run now. If it may, raises the mark. Otherwise logs an error, at most once per
   * hour.
   */
  async mayRun(ctx: RequestContext): Promise<boolean> {
    const reading = await this.read(ctx);
    this.report(reading);
    if (!reading.isHeld) await this.marks.raise(ctx);
    return !reading.isHeld;
  }

  /** @throws AppError operation_not_allowed while periodic work is held. */
  async requireTrusted(ctx: RequestContext): Promise<void> {
    const reading = await this.read(ctx);
    if (!reading.isHeld) return;
    throw new AppError('operation_not_allowed', {
      message: `The clock is ${daysAhead(reading)} days ahead of the last sweep. Check the clocks of the machines, then run "clock confirm".`,
      details: { reason: 'clock_ahead' },
    });
  }

  /**
   * Accepts the database's clock as the right time, so that periodic work continues.
   * @throws AppError operation_not_allowed when the clocks of this machine and of the database differ by more than 30 seconds.
   */
  async confirm(ctx: RequestContext): Promise<ClockReading> {
    const reading = await this.readAgreeing(ctx);
    await this.marks.set(ctx);
    return reading;
  }

  /** @throws AppError operation_not_allowed when the clocks of this machine and of the database differ by more than 30 seconds. */
  async readAgreeing(ctx: RequestContext): Promise<ClockReading> {
    const reading = await this.read(ctx);
    if (Math.abs(reading.skewMs) <= MAX_SKEW_MS) return reading;
    throw new AppError('operation_not_allowed', { message: skewMessage(reading), details: { reason: 'clock_skew' } });
  }

  private report(reading: ClockReading): void {
    const { processTime, databaseTime, skewMs, seenAt, isHeld } = reading;
    const fields = { processTime, databaseTime, skewMs, seenAt };
    if (Math.abs(skewMs) > MAX_SKEW_MS)
      this.logHourly('skew', fields, 'The clocks of this process and of the database differ');
    if (isHeld) this.logHourly('held', fields, HELD);
  }

  private logHourly(subject: string, fields: object, message: string): void {
    const now = this.clock.now().getTime();
    const last = this.lastReports.get(subject);
    if (last !== undefined && Math.abs(now - last) < HOUR_MS) return;
    this.lastReports.set(subject, now);
    this.logger.error(fields, message);
  }
}

/** Whole days from the last sweep to the later one of the two clocks. */
export const daysAhead = ({ databaseTime, processTime, seenAt }: ClockReading): number =>
  seenAt === null
    ? 0
    : Math.floor((Math.max(databaseTime.getTime(), processTime.getTime()) - seenAt.getTime()) / (24 * HOUR_MS));

const skewMessage = ({ skewMs }: ClockReading): string =>
  `The clocks of this process and of the database differ by ${Math.round(Math.abs(skewMs) / 1000)} seconds. Correct them (NTP).`;
