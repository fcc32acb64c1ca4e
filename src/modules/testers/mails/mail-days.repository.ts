import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, deleteInBatches, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

const PRIMARY_KEY = 'pk_tester_mail_day';

/** The number of mails to testers that an organization has queued for a day. */
@Entity('tester_mail_day')
@Check('ck_tester_mail_day_mails', 'mails >= 0')
@Index('ix_tester_mail_day_day', ['day'])
@ForeignKey('OrganizationEntity', ['organizationId'], ['id'], {
  name: 'fk_tester_mail_day_organization',
  onDelete: 'CASCADE',
})
export class MailDayEntity {
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: PRIMARY_KEY })
  organizationId: string;

  /** The day in UTC. */
  @PrimaryColumn('date', { primaryKeyConstraintName: PRIMARY_KEY })
  day: string;

  @Column('integer')
  mails: number;

  /** When the people in charge were mailed that mails wait, null when they were not. */
  @Column({ type: 'timestamptz', name: 'told_at', precision: 3, nullable: true })
  toldAt: Date | null;
}

/** The mails of a day that were counted against its limit. */
export interface TakenMails {
  /** The number of wanted mails within the limit. */
  readonly granted: number;
  /** The number of mails that were counted before. */
  readonly before: number;
}

@Injectable()
export class MailDaysRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Counts mails of an organization against a day's limit. Holds the lock of the organization's row of the day until the transaction
   * ends, so that concurrent transactions cannot exceed the limit.
   * @param day `2026-11-20`
   */
  async take(
    ctx: RequestContext,
    organizationId: string,
    day: string,
    wanted: number,
    limit: number,
  ): Promise<TakenMails> {
    const manager = this.transactions.manager(ctx);
    await rows(
      manager,
      `INSERT INTO tester_mail_day (organization_id, day, mails) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING`,
      [organizationId, day],
    );
    const where = 'organization_id = $1 AND day = $2';
    const row = await one<{ mails: number }>(
      manager,
      `SELECT mails FROM tester_mail_day WHERE ${where} FOR NO KEY UPDATE`,
      [organizationId, day],
    );
    const before = row?.mails ?? 0;
    const granted = Math.min(wanted, Math.max(0, limit - before));
    if (granted > 0) {
      await changed(manager, `UPDATE tester_mail_day SET mails = mails + $3 WHERE ${where}`, [
        organizationId,
        day,
        granted,
      ]);
    }
    return { granted, before };
  }

  /** Records that the people in charge are mailed. @returns false when they were mailed that day before. */
  async markTold(ctx: RequestContext, organizationId: string, day: string): Promise<boolean> {
    const told = await changed(
      this.transactions.manager(ctx),
      `UPDATE tester_mail_day SET told_at = $3 WHERE organization_id = $1 AND day = $2 AND told_at IS NULL`,
      [organizationId, day, ctx.clock.now()],
    );
    return told === 1;
  }

  /** Deletes the counts of days more than a week ago. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteInBatches(
      this.transactions.manager(ctx),
      'tester_mail_day',
      `day < (SELECT (app_now() AT TIME ZONE 'UTC')::date - 7)`,
    );
  }
}
