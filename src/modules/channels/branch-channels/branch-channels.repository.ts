import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { changed, columnsOf, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** A channel that the uploads of a branch made. */
@Entity('branch_channel')
@Unique('uq_branch_channel_branch', ['projectId', 'branch'])
@Index('ix_branch_channel_channel', ['organizationId', 'projectId', 'channelId'])
@Index('ix_branch_channel_end', ['endsAt', 'channelId'])
@ForeignKey('ChannelEntity', ['organizationId', 'projectId', 'channelId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_branch_channel_channel',
  onDelete: 'CASCADE',
})
export class BranchChannelEntity {
  @PrimaryColumn('uuid', { name: 'channel_id', primaryKeyConstraintName: 'pk_branch_channel' })
  channelId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text')
  branch: string;

  /** The days after its last use after which it ends, as the setting of the project was then. */
  @Column('integer')
  days: number;

  /** The number of the last release that an upload of the branch made. A higher number of the channel is a promotion by other means. */
  @Column('integer', { name: 'last_sequence' })
  lastSequence: number;

  @Column({ type: 'timestamptz', name: 'ends_at', precision: 3 })
  endsAt: Date;
}

/** The place of a channel in the order in which channels end. */
export type EndOfChannel = Pick<BranchChannelEntity, 'channelId' | 'endsAt'>;

@Injectable()
export class BranchChannelsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Serializes what happens to the channel of a branch, until the transaction ends. */
  lock(tx: RequestContext, { projectId }: ProjectScope, branch: string): Promise<void> {
    return this.transactions.advisoryLock(tx, `branch-channel|${projectId}|${branch}`);
  }

  find(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    branch: string,
  ): Promise<BranchChannelEntity | null> {
    const manager = this.transactions.manager(ctx);
    const columns = columnsOf(manager.getRepository(BranchChannelEntity).metadata);
    const sql = `SELECT ${columns} FROM branch_channel WHERE organization_id = $1 AND project_id = $2 AND branch = $3`;
    return one(manager, sql, [organizationId, projectId, branch]);
  }

  findByChannel(ctx: RequestContext, channelId: string): Promise<BranchChannelEntity | null> {
    return this.transactions.manager(ctx).findOneBy(BranchChannelEntity, { channelId });
  }

  async insert(tx: RequestContext, channel: BranchChannelEntity): Promise<void> {
    await this.transactions.manager(tx).insert(BranchChannelEntity, channel);
  }

  /** Records that the channel gets its next release now. */
  async use(tx: RequestContext, channelId: string, { days, endsAt }: { days: number; endsAt: Date }): Promise<void> {
    await rows(
      this.transactions.manager(tx),
      `UPDATE branch_channel b SET days = $2, ends_at = $3, last_sequence = c.last_sequence + 1
       FROM channel c WHERE b.channel_id = $1 AND c.id = b.channel_id`,
      [channelId, days, endsAt],
    );
  }

  /** The channels whose end is not after `now`, in its order, after a place in this order. */
  findEnding(ctx: RequestContext, now: Date, after: EndOfChannel | null, limit: number): Promise<EndOfChannel[]> {
    return rows<EndOfChannel>(
      this.transactions.manager(ctx),
      `SELECT channel_id AS "channelId", ends_at AS "endsAt" FROM branch_channel
       WHERE ends_at <= $1 AND (ends_at, channel_id) > (coalesce($2, '-infinity'::timestamptz), $3::uuid)
       ORDER BY ends_at, channel_id LIMIT $4`,
      [now, after?.endsAt ?? null, after?.channelId ?? '00000000-0000-0000-0000-000000000000', limit],
    );
  }

  /** Puts off the end of a channel that got a release by other means since its last use. @returns whether it did. */
  async putOff(tx: RequestContext, channelId: string, now: Date): Promise<boolean> {
    const count = await changed(
      this.transactions.manager(tx),
      `UPDATE branch_channel b SET last_sequence = c.last_sequence, ends_at = $2::timestamptz + b.days * interval '1 day'
       FROM channel c WHERE b.channel_id = $1 AND c.id = b.channel_id AND c.last_sequence > b.last_sequence`,
      [channelId, now],
    );
    return count > 0;
  }
}
