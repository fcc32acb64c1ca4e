import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { ClockGuardService, type ClockReading, daysAhead } from '#infra/clock/clock-guard.service';
import { Transactions } from '#infra/database/transactions';
import { type OperatorCommand, type OperatorCommandGroup, type OperatorResult } from '../operator-command';

/** The clock by which months are closed, storage is charged and old rows are pruned. */
@Injectable()
export class ClockCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(
    private readonly clockGuard: ClockGuardService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {
    this.commands = [
      {
        name: 'clock show',
        summary: 'Compare the clocks of this machine and of the database with the time of the last sweep',
        run: async (ctx) => toResult(await clockGuard.read(ctx)),
      },
      {
        name: 'clock confirm',
        summary: 'Confirm that the clock is right, so that closing months, charging and pruning continue',
        effect: async (ctx) => effectOf(await clockGuard.readAgreeing(ctx)),
        run: (ctx) => this.confirm(ctx),
      },
    ];
  }

  private confirm(ctx: RequestContext): Promise<OperatorResult> {
    return this.transactions.run(ctx, async (tx) => {
      const reading = await this.clockGuard.confirm(tx);
      const payload = { time: reading.databaseTime.toISOString(), last_sweep: reading.seenAt?.toISOString() ?? null };
      await this.audit.record(tx, { type: 'clock.confirmed', organizationId: null, payload });
      return { ...toResult(reading), held: false };
    });
  }
}

const effectOf = (reading: ClockReading): string => {
  const last = reading.seenAt
    ? `${reading.seenAt.toISOString()}, ${daysAhead(reading)} days before`
    : 'not known, because no worker has started yet';
  return (
    `${reading.databaseTime.toISOString()} will be accepted as the right time (the last sweep: ${last}). ` +
    'Months that have ended will be closed, their fees charged, and data older than its retention deleted. This cannot be undone.'
  );
};

const toResult = (reading: ClockReading): object => ({
  database_time: reading.databaseTime.toISOString(),
  process_time: reading.processTime.toISOString(),
  skew_seconds: reading.skewMs / 1000,
  last_sweep: reading.seenAt?.toISOString() ?? null,
  days_ahead: daysAhead(reading),
  held: reading.isHeld,
});
