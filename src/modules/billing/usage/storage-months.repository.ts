import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { deleteInBatches, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { inPage, pageParameters, type ShardPage } from '#infra/jobs/shards/shard';

/** The storage of a closed month, which stays when the intervals that ended in it are deleted. */
@Entity('storage_month')
export class StorageMonthEntity {
  @ForeignKey('BillingAccountEntity', 'organizationId', { name: 'fk_storage_month_account', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'pk_storage_month' })
  organizationId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_storage_month' })
  period: string;

  /** Bytes times milliseconds of each day. */
  @Column('numeric', { name: 'day_byte_ms', array: true })
  dayByteMs: string[];
}

/** The start of the oldest month that is not closed. */
const OPEN_SINCE = `(a.open_period || '-01')::timestamp AT TIME ZONE 'UTC'`;

@Injectable()
export class StorageMonthsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Bytes times milliseconds of each day of a month; null while the month's intervals exist. */
  async find(ctx: RequestContext, organizationId: string, period: string): Promise<readonly bigint[] | null> {
    const month = await one<{ days: string[] }>(
      this.transactions.manager(ctx),
      // The driver would read an array of numeric as floating-point numbers.
      'SELECT day_byte_ms::text[] AS days FROM storage_month WHERE organization_id = $1 AND period = $2',
      [organizationId, period],
    );
    return month && month.days.map(BigInt);
  }

  /** Does nothing when the month exists, because its intervals may be deleted already. */
  async insert(
    ctx: RequestContext,
    organizationId: string,
    period: string,
    dayByteMs: readonly bigint[],
  ): Promise<void> {
    await rows(
      this.transactions.manager(ctx),
      `INSERT INTO storage_month (organization_id, period, day_byte_ms) VALUES ($1, $2, $3::numeric[]) ON CONFLICT DO NOTHING`,
      [organizationId, period, dayByteMs.map(String)],
    );
  }

  /** Ids of the organizations with intervals that ended before their open month. */
  async findOrganizations(ctx: RequestContext, page: ShardPage): Promise<readonly string[]> {
    const organizations = await rows<{ organizationId: string }>(
      this.transactions.manager(ctx),
      `SELECT a.organization_id AS "organizationId" FROM billing_account a
       WHERE ${inPage('a.organization_id', 1)} AND EXISTS (
         SELECT FROM storage_interval i WHERE i.organization_id = a.organization_id AND i.ended_at <= ${OPEN_SINCE})
       ORDER BY a.organization_id LIMIT $3`,
      [...pageParameters(page), page.limit],
    );
    return organizations.map(({ organizationId }) => organizationId);
  }

  /** The first start of the intervals that ended by an instant. Null when none did. */
  async firstStart(ctx: RequestContext, organizationId: string, endedBy: Date): Promise<Date | null> {
    const row = await one<{ start: Date | null }>(
      this.transactions.manager(ctx),
      `SELECT min(started_at) AS start FROM storage_interval WHERE organization_id = $1 AND ended_at <= $2`,
      [organizationId, endedBy],
    );
    return row?.start ?? null;
  }

  /** Deletes the intervals that ended by an instant. */
  async deleteIntervals(ctx: RequestContext, organizationId: string, endedBy: Date): Promise<void> {
    const condition = 'organization_id = $1 AND ended_at <= $2';
    await deleteInBatches(this.transactions.manager(ctx), 'storage_interval', condition, [organizationId, endedBy]);
  }
}
