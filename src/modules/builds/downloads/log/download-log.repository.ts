import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { DEVICE_FAMILIES, type DeviceFamily } from '#kernel/builds/device';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, deleteOlder } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type SentSpan } from './build-download';

/** The use of one download ticket. It has only the ids of tester and channel, so no personal data stays when a tester is erased. */
@Entity('build_download')
@Unique('uq_build_download_ticket', ['ticketId'])
@Check(
  'ck_build_download_device_family',
  `device_family IN (${DEVICE_FAMILIES.map((family) => `'${family}'`).join(', ')})`,
)
@Index('ix_build_download_build', ['buildId', 'id'])
@Index('ix_build_download_started', ['startedAt'])
@Index('ix_build_download_tester', ['buildId', 'testerId'])
@Index('ix_build_download_of_tester', ['testerId', 'id'], { where: 'tester_id IS NOT NULL' })
@Index('ix_build_download_project', ['projectId', 'startedAt'])
@Index('ix_build_download_link', ['linkId', 'buildId'], { where: 'link_id IS NOT NULL' })
@Index('ix_build_download_tester_build', ['projectId', 'testerId', 'id', 'buildId'], { where: 'tester_id IS NOT NULL' })
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_build_download_build',
  onDelete: 'CASCADE',
})
export class BuildDownloadEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_build_download' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'build_id' })
  buildId: string;

  @Column('uuid', { name: 'ticket_id' })
  ticketId: string;

  @Column('text', { name: 'minted_by_kind' })
  mintedByKind: string;

  @Column('uuid', { name: 'minted_by_id', nullable: true })
  mintedById: string | null;

  @Column('uuid', { name: 'tester_id', nullable: true })
  testerId: string | null;

  @Column('uuid', { name: 'channel_id', nullable: true })
  channelId: string | null;

  /** The install link that minted the ticket, null when none did. The link may have been deleted. */
  @Column('uuid', { name: 'link_id', nullable: true })
  linkId: string | null;

  @Column('text', { name: 'device_family' })
  deviceFamily: DeviceFamily;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3 })
  startedAt: Date;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt: Date | null;

  /** Null until a response of this service has ended; stays null when the store sends the bytes. */
  @Column('bigint', { name: 'served_bytes', nullable: true })
  servedBytes: string | null;

  /** The byte ranges that were sent, merged. A resumed download is complete when they cover the file. */
  @Column({ type: 'int8multirange', name: 'served_ranges', default: '{}', select: false })
  servedRanges: string;
}

@Injectable()
export class DownloadLogRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Deletes entries older than `days`. The counts of the builds stay. */
  prune(ctx: RequestContext, days: number): Promise<void> {
    const age = 'make_interval(days => $1)';
    return deleteOlder(this.transactions.manager(ctx), 'build_download', { column: 'started_at', age, values: [days] });
  }

  /** Adds sent bytes to their downloads. A download is complete when every byte was sent at least once. */
  async addSent(ctx: RequestContext, sent: readonly SentSpan[]): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `UPDATE build_download d SET served_bytes = coalesce(d.served_bytes, 0) + s.bytes,
         served_ranges = d.served_ranges + s.ranges,
         completed_at = CASE WHEN d.served_ranges + s.ranges @> int8range(0, coalesce(a.size_bytes, b.size_bytes))
                             THEN coalesce(d.completed_at, app_now()) END
       FROM (
         SELECT ticket_id, sum(upper(span) - lower(span))::bigint AS bytes, range_agg(span) AS ranges
         FROM unnest($1::uuid[], $2::int8range[]) AS each (ticket_id, span) GROUP BY ticket_id
       ) s LEFT JOIN download_ticket t ON t.id = s.ticket_id LEFT JOIN attachment a ON a.id = t.attachment_id, build b
       WHERE d.ticket_id = s.ticket_id AND b.id = d.build_id`,
      [sent.map(({ ticketId }) => ticketId), sent.map(({ start, end }) => `[${start},${end})`)],
    );
  }
}
